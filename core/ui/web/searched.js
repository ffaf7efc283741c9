// "How it searched": the question as understood, the queries, the steps, and every hit with what
// each stage gave it.

const searchedBlock = (memory, data, open) => foldable(memory, "searched", data.title, () => [
  el("dl", "",
    data.goal ? [el("dt", "", "Understood as"), el("dd", "", data.goal)] : null,
    el("dt", "", data.queries.length > 1 ? "Queries" : "Query"),
    el("dd", "", data.queries.map(query => el("div", "", query)))),
  el("ol", "steps", data.steps.map(step => el("li", "",
    el("span", "step-name", step.name),
    el("span", "muted", step.detail),
    el("span", "number", step.count),
    el("span", "number muted", step.time)))),
  data.hits.length ? hitsTable(data.hits, open) : null,
  data.dropped.length
    ? [el("h5", "", "Found, then dropped"), el("ul", "dropped", data.dropped.map(hit => el("li", "",
      el("span", "", hit.label), el("span", "muted", hit.place), el("span", "reason", hit.dropped)))),
      data.more ? el("div", "muted", `and ${data.more}`) : null]
    : null,
])

const SCORES = [["dense", "Dense"], ["lexical", "Lexical"], ["fused", "Fused"], ["rerank", "Rerank"]]

const hitsTable = (hits, open) => {
  const row = (hit, index) => {
    const name = open
      ? button("as-link", "", () => open("hits", index), hit.label)
      : el("span", "", hit.label)
    return el("tr", "",
      el("td", "number", hit.rank),
      el("td", "", name, el("div", "muted", hit.place)),
      SCORES.map(([key]) => el("td", "number", hit[key].score,
        hit[key].rank ? el("div", "muted", hit[key].rank) : null)))
  }
  return el("div", "scroll", el("table", "hits",
    el("thead", "", el("tr", "", el("th", "number", "#"), el("th", "", "Passage"),
      SCORES.map(([, title]) => el("th", "number", title)))),
    el("tbody", "", hits.map(row))))
}
