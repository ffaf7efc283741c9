// An answer (or a list of hits) with the evidence beside it. Python sends the data, and gets back
// which source was opened, which way a page was turned, that the evidence was closed, and that a
// page of the web is to be kept.

const memories = new WeakMap()

const remembered = root => {
  if (!memories.has(root)) {
    memories.set(root, { open: new Set(), zoomed: false, left: "", right: "", card: null })
  }
  return memories.get(root)
}

// The brackets are not seen, but are there when the text is selected and copied.
const bracketed = number => [el("span", "bracket", "["), String(number), el("span", "bracket", "]")]

const answerView = (memory, data, open, again) => {
  const numbered = new Map(data.cited.map((source, index) => [source.n, ["cited", index, source]]))
  data.unused.forEach((source, index) => {
    if (source.n && !numbered.has(source.n)) numbered.set(source.n, ["unused", index, source])
  })
  const chip = (number, kind) => {
    const found = numbered.get(number)
    if (!found) return el("span", "chip inert", bracketed(number))
    const [group, index, source] = found
    const name = `${kind === "matched" ? "Matched source" : "Source"} ${number}: ${source.label}`
    const node = button(
      `chip ${kind}`,
      source.place ? `${name}, ${source.place}` : name,
      null,
      ...bracketed(number),
    )
    node.dataset.source = `${group}-${index}`
    memory.card.attach(node, source, () => open(group, index))
    return node
  }
  const verdict = {
    wrap: (k, children) => el("span", `claim ${data.claims[k]?.kind ?? ""}`, children),
    after: k => {
      const claim = data.claims[k]
      if (!claim) return ""
      if (claim.kind === "matched") {
        return el(
          "span",
          "matches",
          claim.numbers.map(number => chip(number, "matched")),
          el("span", "verdict", claim.words),
        )
      }
      return el("span", "verdict warning", claim.words)
    },
  }
  return [
    data.question ? textual("h2", "question", data.question) : null,
    data.abstention ? abstentionBlock(data.abstention) : null,
    data.tree.length
      ? el(
          "div",
          `prose${data.live ? " live" : ""}`,
          blocks(data.tree, number => chip(number, "cited"), verdict),
        )
      : null,
    data.notices.map(notice =>
      el(
        "p",
        `notice ${notice.level}`,
        coded(notice.text),
        notice.cure ? el("span", "cure", coded(notice.cure)) : null,
      ),
    ),
    data.cited.length ? sourceList("Cited", "cited", data.cited, open) : null,
    data.unused.length ? unusedList(memory, data, open) : null,
    data.searched ? searchedBlock(memory, data.searched, null, again) : null,
    data.live || !data.meta ? null : footer(data),
  ]
}

const abstentionBlock = data =>
  el(
    "div",
    "abstention",
    el("p", "abstention-lead", data.lead),
    data.reason ? textual("p", "", data.reason) : null,
    data.looked ? el("p", "muted", data.looked) : null,
  )

const sourceList = (title, group, sources, open) =>
  el(
    "section",
    "sources",
    title ? el("h4", "", title) : null,
    el(
      "ol",
      "",
      sources.map((source, index) => {
        const row = button(
          "source",
          `Open ${source.label}${source.place ? `, ${source.place}` : ""}`,
          () => open(group, index),
          el(
            "span",
            `chip ${group === "cited" ? "cited" : "inert"}`,
            group === "cited" ? String(source.n) : "·",
          ),
          el(
            "span",
            "source-words",
            el(
              "span",
              "source-name",
              textual("span", "source-label", source.label),
              source.place ? el("span", "muted", source.place) : null,
            ),
            textual("span", "source-quote", source.quote),
            source.attribution ? el("span", "credit", source.attribution) : null,
          ),
          source.score ? el("span", "score", source.score) : null,
        )
        row.dataset.source = `${group}-${index}`
        return el("li", "", row)
      }),
    ),
  )

const unusedList = (memory, data, open) => {
  if (data.abstention) return sourceList("Nearest passages", "unused", data.unused, open)
  return foldable(memory, "unused", `Found but not used (${data.unused.length})`, () =>
    sourceList("", "unused", data.unused, open),
  )
}

const footer = data => {
  const copy = button(
    "quiet",
    "Copy the answer with its sources",
    async () => {
      await copyText(data.copy)
      copy.replaceChildren(icon("done"), "Copied")
      setTimeout(() => copy.replaceChildren(icon("copy"), "Copy"), 1600)
    },
    icon("copy"),
    "Copy",
  )
  return el("footer", "", copy, el("span", "muted", data.meta))
}

const hitsView = (memory, data, open, again) => [
  data.notices.map(notice =>
    el(
      "p",
      `notice ${notice.level}`,
      coded(notice.text),
      notice.cure ? el("span", "cure", coded(notice.cure)) : null,
    ),
  ),
  el(
    "ol",
    "cards",
    data.hits.map((hit, index) => {
      const card = el(
        "li",
        "hit",
        el(
          "div",
          "hit-head",
          el("span", "hit-rank", hit.rank),
          el(
            "span",
            "source-name",
            textual("span", "source-label", hit.label),
            el("span", "muted", hit.place),
          ),
          button("quiet", `Open ${hit.label}`, () => open("hits", index), "Open"),
        ),
        textual("p", hit.lines ? "hit-text lines" : "hit-text", hit.text),
        hit.also ? el("p", "hit-also muted", hit.also) : null,
        el(
          "dl",
          "hit-scores",
          SCORES.filter(([key]) => hit[key].score).map(([key, title]) =>
            el(
              "div",
              "",
              el("dt", "", title),
              el("dd", "", hit[key].score, el("span", "muted", hit[key].rank)),
            ),
          ),
        ),
      )
      card.dataset.source = `hits-${index}`
      return card
    }),
  ),
  data.searched ? searchedBlock(memory, data.searched, null, again) : null,
]

// Scrolls to the sheet: twice, because what stands below (and makes room for scrolling) may come a
// moment later; and never once the person does something.
const arrive = root => {
  const timers = [100, 500].map(wait =>
    setTimeout(() => root.scrollIntoView({ block: "start" }), wait),
  )
  const leave = () => timers.forEach(clearTimeout)
  for (const kind of ["pointerdown", "wheel", "keydown"]) {
    window.addEventListener(kind, leave, { once: true, passive: true, capture: true })
  }
}

const VIEWS = { answer: answerView, hits: hitsView }

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  const root = parentElement.querySelector(".sheet")
  if (!root || !data) return
  const memory = remembered(root)
  const send = (name, value) => setTriggerValue(name, { ...value, at: Date.now() })
  const open = (group, index) => send("open", { group, index })
  const again = data.again ? queries => send("again", { queries }) : null
  if (!memory.card) {
    memory.card = makeCard(root)
    memory.main = root.appendChild(el("div", "main"))
    if (data.arriving) arrive(root)
  }
  root.classList.toggle("roomy", data.roomy)

  const left = JSON.stringify(data.content)
  if (left !== memory.left) {
    memory.left = left
    memory.card.hide()
    fill(memory.main, VIEWS[data.content.view](memory, data.content, open, again))
  }
  for (const node of memory.main.querySelectorAll("[data-source]")) {
    node.classList.toggle("on", node.dataset.source === data.opened)
  }

  const right = JSON.stringify([data.opened, data.evidence])
  if (right !== memory.right) {
    memory.right = right
    root.querySelector(":scope > .evidence")?.remove()
    root.classList.toggle("with-evidence", Boolean(data.evidence))
    if (data.evidence) {
      const { panel, reveal } = evidencePanel(memory, data.evidence, send)
      root.append(panel)
      requestAnimationFrame(() => {
        reveal()
        panel.scrollIntoView({ block: "nearest", behavior: "smooth" })
      })
    }
  }
  return () => memory.card?.remove()
}
