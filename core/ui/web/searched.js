// "How it searched": the question as understood, the queries, the steps, and every hit with what
// each stage gave it.

const searchedBlock = (memory, data, open, again) =>
  foldable(memory, "searched", data.title, () => [
    el(
      "dl",
      "",
      el("dt", "", "Effort"),
      el("dd", "", data.level),
      data.goal ? [el("dt", "", "Understood as"), textual("dd", "", data.goal)] : null,
    ),
    queriesBlock(data, again),
    data.summary ? textual("p", "summary", data.summary) : null,
    el(
      "ol",
      "steps",
      data.steps.map(step =>
        el(
          "li",
          "",
          el("span", "step-name", step.name),
          el(
            "span",
            "muted",
            step.detail,
            step.tokens ? el("span", "tokens", ` · ${step.tokens}`) : null,
          ),
          el("span", "number", step.count),
          el("span", "number muted", step.time),
        ),
      ),
    ),
    data.hits.length ? hitsTable(data.hits, open, data.queries.length > 1) : null,
    data.dropped.length
      ? [
          el("h3", "", "Found, but not kept"),
          el(
            "ul",
            "dropped",
            data.dropped.map(hit =>
              el(
                "li",
                "",
                el("span", "", hit.label),
                el("span", "muted", hit.place),
                el("span", "reason", hit.dropped),
              ),
            ),
          ),
          data.more ? el("div", "muted", `and ${data.more}`) : null,
        ]
      : null,
  ])

// Every query with what became of it; they can be edited and searched again.
const queriesBlock = (data, again) => {
  const rows = el(
    "ul",
    "queries",
    data.queries.map(query =>
      el(
        "li",
        "",
        textual("span", "query", query.text),
        el("span", "muted", [query.where, query.why].filter(Boolean).join(" · ")),
        el(
          "span",
          "number muted",
          [query.found, query.kept, query.time].filter(Boolean).join(" · "),
        ),
      ),
    ),
  )
  const block = el(
    "div",
    "queries-block",
    el("h3", "", data.queries.length > 1 ? "Queries" : "Query"),
    rows,
  )
  if (again) block.append(button("quiet", "", () => edit(), "Edit and search again"))
  const edit = () => {
    const area = el("textarea", "")
    area.value = data.own.join("\n")
    area.rows = Math.min(Math.max(data.own.length + 1, 3), 6)
    area.maxLength = 2000
    area.setAttribute("aria-label", "Queries, one per line")
    const form = el(
      "div",
      "edit-queries",
      area,
      el(
        "div",
        "edit-actions",
        button(
          "primary",
          "Search again with these queries",
          () => {
            const queries = area.value
              .split("\n")
              .map(line => line.trim())
              .filter(Boolean)
            if (queries.length) again(queries)
          },
          "Search again",
        ),
        button(
          "quiet",
          "",
          () => {
            form.replaceWith(shown)
          },
          "Cancel",
        ),
      ),
    )
    const shown = block.lastChild
    shown.replaceWith(form)
    area.focus()
  }
  return block
}

const SCORES = [
  ["dense", "Meaning"],
  ["lexical", "Words"],
  ["fused", "Combined"],
  ["rerank", "Reranked"],
]

const hitsTable = (hits, open, several) => {
  const row = (hit, index) => {
    const name = open
      ? button("as-link", "", () => open("hits", index), hit.label)
      : el("span", "", hit.label)
    return el(
      "tr",
      "",
      el("td", "number", hit.rank),
      el(
        "td",
        "",
        name,
        el("div", "muted", hit.place),
        several && hit.query ? el("div", "muted by-query", `by “${hit.query}”`) : null,
      ),
      SCORES.map(([key]) =>
        el(
          "td",
          "number",
          hit[key].score,
          hit[key].rank ? el("div", "muted", hit[key].rank) : null,
        ),
      ),
    )
  }
  return scrolling(
    el(
      "table",
      "hits",
      el(
        "thead",
        "",
        el(
          "tr",
          "",
          el("th", "number", "#"),
          el("th", "", "Passage"),
          SCORES.map(([, title]) => el("th", "number", title)),
        ),
      ),
      el("tbody", "", hits.map(row)),
    ),
  )
}
