// An answer (or a list of hits) with the evidence beside it. Python sends the data, and gets back
// which source was opened, which way a page was turned, what is looked for in the document, that
// the evidence was closed, and that a page of the web is to be kept.

const memories = new WeakMap()

const remembered = root => {
  if (!memories.has(root)) {
    memories.set(root, { open: new Set(), left: "", right: "", file: 0, at: -1, card: null })
  }
  return memories.get(root)
}

// The brackets are not seen, but are there when the text is selected and copied.
const bracketed = number => [el("span", "bracket", "["), String(number), el("span", "bracket", "]")]

const answerView = (memory, data, open, again, edit, save, share) => {
  const numbered = new Map(data.cited.map((source, index) => [source.n, ["cited", index, source]]))
  data.unused.forEach((source, index) => {
    if (source.n && !numbered.has(source.n)) numbered.set(source.n, ["unused", index, source])
  })
  let next = 0 // the uses are in the order of the text, as the marks are
  const useOf = number => {
    const at = data.uses.findIndex((use, place) => place >= next && use.n === number)
    if (at >= 0) next = at + 1
    return at
  }
  const chip = (number, kind) => {
    const found = numbered.get(number)
    if (!found) return el("span", "chip inert", bracketed(number))
    const [group, index, source] = found
    const use = kind === "cited" ? useOf(number) : -1
    const name = `${kind === "matched" ? "Matched source" : "Source"} ${number}: ${source.label}`
    const node = button(
      `chip ${kind}`,
      source.place ? `${name}, ${source.place}` : name,
      null,
      ...bracketed(number),
    )
    node.dataset.source = `${group}-${index}`
    if (use >= 0) node.dataset.use = String(use)
    const own = use >= 0 ? { ...source, ...data.uses[use] } : source
    const show = () => {
      memory.at = citationChips(memory).indexOf(node)
      open(group, index, use >= 0 ? use : null)
    }
    memory.card.attach(node, openIt => sourceCard(own, openIt), show)
    return node
  }
  const verdict = {
    wrap: (k, children) => {
      const node = el("span", `claim ${data.claims[k]?.kind ?? ""}`, children)
      node.dataset.claim = String(k)
      return node
    },
    after: k => {
      const claim = data.claims[k]
      if (!claim?.words) return ""
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
    data.question ? questionLine(data.question, edit) : null,
    data.certainty ? certaintyLine(memory, data.certainty) : null,
    data.abstention ? abstentionBlock(data.abstention) : null,
    data.abstention?.near ? sourceList(NEAREST, "unused", data.unused.slice(0, 1), open) : null,
    noticeList(data.notices.filter(notice => notice.above)),
    data.tree.length
      ? el(
          "div",
          `prose${data.live ? " live" : ""}`,
          blocks(data.tree, number => chip(number, "cited"), verdict),
        )
      : null,
    data.verdict.length || data.uses.length
      ? verdictLine(memory, data.verdict, data.uses.length)
      : null,
    noticeList(data.notices.filter(notice => !notice.above)),
    data.cited.length ? sourceList("Cited", "cited", data.cited, open) : null,
    unusedList(memory, data, open),
    data.searched ? searchedBlock(memory, data.searched, null, again) : null,
    data.live || !data.meta ? null : footer(data, save, share),
  ]
}

const questionLine = (question, edit) => {
  const line = textual("h2", "question", question)
  if (edit) line.append(button("tool edit", "Edit the question and ask again", edit, icon("pen")))
  return line
}

// How sure the answer is, before it is read; while it is written only the place for it.
const certaintyLine = (memory, data) => {
  const line = el("p", "certainty")
  if (!data.words) return line
  const word = button(`word ${data.kind}`, "", null, icon(MARKS[data.kind]), data.words)
  if (data.meaning) {
    word.setAttribute("aria-description", data.meaning)
    memory.card.attach(word, () => meaningCard(data))
  }
  return fill(line, word)
}

const MARKS = { "found-directly": "done", "found-nearby": "near", "not-found": "none" }

const meaningCard = data => [el("div", "card-title", data.words), el("p", "", data.meaning)]

const noticeList = notices =>
  notices.map(notice =>
    el(
      "p",
      `notice ${notice.level}`,
      coded(notice.text),
      notice.cure ? el("span", "cure", " ", coded(notice.cure)) : null,
    ),
  )

// What the check found, in words; a click shows the sentences, one after the other.
const verdictLine = (memory, parts, marks) => {
  const show = part => {
    const sentences = part.claims.flatMap(k => [
      ...memory.main.querySelectorAll(`[data-claim="${k}"]`),
    ])
    if (!sentences.length) return
    part.at = ((part.at ?? -1) + 1) % part.claims.length
    for (const node of memory.main.querySelectorAll(".claim.shown")) node.classList.remove("shown")
    for (const node of sentences) node.classList.add("shown")
    memory.main
      .querySelector(`[data-claim="${part.claims[part.at]}"]`)
      ?.scrollIntoView({ block: "nearest", behavior: "smooth" })
  }
  return el(
    "p",
    "verdict-line",
    parts.map(part =>
      button(
        part.doubt ? "quiet doubt" : "quiet",
        "",
        () => show(part),
        icon(part.doubt ? "look" : "done"),
        part.words,
      ),
    ),
    marks
      ? button("quiet", "", () => citationChips(memory)[0]?.click(), "Check the citations")
      : null,
  )
}

const NEAREST = "Nearest sentence, which may not answer"

const abstentionBlock = data =>
  el(
    "div",
    "abstention",
    el("p", "abstention-lead", data.lead),
    data.reason ? textual("p", "", data.reason) : null,
    data.looked ? el("p", "muted", data.looked) : null,
  )

const sourceList = (title, group, sources, open, first = 0) =>
  el(
    "section",
    "sources",
    title ? el("h3", "", title) : null,
    el(
      "ol",
      "",
      sources.map((source, index) => {
        const row = button(
          "source",
          "",
          () => open(group, first + index),
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
        )
        row.dataset.source = `${group}-${first + index}`
        return el("li", "", row)
      }),
    ),
  )

const unusedList = (memory, data, open) => {
  const shown = data.abstention?.near ? 1 : 0
  const left = data.unused.slice(shown)
  const title = data.abstention ? "Nearest passages" : "Found but not used"
  if (!left.length) return null
  return foldable(memory, "unused", `${title} (${left.length})`, () =>
    sourceList("", "unused", left, open, shown),
  )
}

const footer = (data, save, share) => {
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
  const label = "Export the answer with its sources"
  const exporting = save ? button("quiet", label, save, icon("save"), "Export") : null
  const about = "Share the answer with its sources in this session"
  const sharing = data.share ? button("quiet", about, share, icon("share"), data.share) : null
  return el("footer", "", copy, exporting, sharing, el("span", "muted", data.meta))
}

const hitsView = (memory, data, open, again) => [
  noticeList(data.notices),
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
        textual(
          "p",
          hit.lines ? "hit-text lines" : "hit-text",
          hit.text.map(([piece, on]) => (on ? el("mark", "", piece) : piece)),
        ),
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

// A screen reader is told when an answer is begun, and what it says when it is whole: of an answer
// that was seen to be written, as the sheet may be another one by then.
const TOLD = 1_000
let written = null
const tell = (memory, content) => {
  const say = words => setTimeout(() => (memory.said.textContent = words), 100)
  if (content.live && written !== content.question) {
    written = content.question
    say("The answer is being written.")
  } else if (!content.live && written !== null && written === content.question) {
    written = null
    const answer = memory.main.querySelector(".abstention") ?? memory.main.querySelector(".prose")
    say(`Answer: ${answer?.innerText.slice(0, TOLD) ?? ""}`)
  }
}

const VIEWS = { answer: answerView, hits: hitsView }
const WIDE = { maxWidth: "none", paddingInline: "5rem" } // as Streamlit's wide layout is
const MOST_WAITING = 20_000 // milliseconds: then whatever went wrong is told elsewhere
const NARROW = "(max-width: 900px)" // here the evidence covers the page

const typing = event =>
  event.composedPath().some(node => /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName ?? ""))

// The chips of an answer in the order of its text: what there is to check.
const citationChips = memory => [
  ...memory.main.querySelectorAll("button.chip[data-use], .matches button.chip"),
]

const isOpen = (node, data) =>
  node.dataset.source === data.opened &&
  (data.use === null || node.dataset.use === undefined || node.dataset.use === String(data.use))

// The place among the chips of the one that is open: of several of one source the one last used.
const openChip = (memory, chips, data) => {
  const last = chips[memory.at]
  return last && isOpen(last, data) ? memory.at : chips.findIndex(chip => isOpen(chip, data))
}

const walkThrough = (memory, data, open) => {
  const chips = citationChips(memory)
  const at = openChip(memory, chips, data)
  let next = at // keys may come faster than the evidence
  const go = delta => {
    if (chips.length < 2) return
    next = (next + delta + chips.length) % chips.length
    const chip = chips[next]
    memory.at = next
    memory.heading = chip
    const [group, index] = chip.dataset.source.split("-")
    const use = chip.dataset.use === undefined ? null : Number(chip.dataset.use)
    open(group, Number(index), use, true)
    chip.scrollIntoView({ block: "nearest" })
    holdChecks(memory, data)
  }
  return {
    at,
    count: at < 0 ? 0 : chips.length,
    on: () => go(1),
    back: () => go(-1),
    use: at < 0 || chips[at].dataset.use === undefined ? null : Number(chips[at].dataset.use),
    total: chips.filter(chip => chip.dataset.use !== undefined).length,
    checks: data.checks,
  }
}

// On the way to another citation nothing is said of the one that is still shown.
const holdChecks = (memory, data) => {
  const onTheWay = Boolean(memory.heading && !isOpen(memory.heading, data))
  for (const node of memory.walk?.check.querySelectorAll("button, input") ?? [])
    node.disabled = onTheWay
}

const mainBlock = () => document.querySelector("[data-testid=stMainBlockContainer]")

// The page is wide while evidence stands beside the answer: that of the sheet which opened last.
let widest = null
const widen = (root, wide) => {
  root.classList.toggle("with-evidence", wide)
  if (!wide && widest !== root) return
  widest = wide ? root : null
  for (const [name, value] of Object.entries(WIDE))
    mainBlock().style[name] = wide && !window.matchMedia(NARROW).matches ? value : ""
}

// The room of the evidence is there at once, so that nothing moves when the page arrives.
const makeRoom = root => {
  const taken = root.classList.contains("with-evidence")
  if (taken || window.matchMedia(NARROW).matches) return
  const room = el("section", "opening", el("p", "muted", "Opening the passage …"))
  room.setAttribute("aria-busy", "true")
  root.append(paneEdge(root), room)
  widen(root, true)
  keepAboveBox(room)
  setTimeout(() => room.isConnected && clearRoom(root), MOST_WAITING)
}

const clearRoom = root => {
  const room = root.querySelector(":scope > .opening")
  if (!room) return
  room.previousSibling.remove()
  room.remove()
  widen(root, Boolean(root.querySelector(":scope > .evidence")))
}

const showEvidence = (memory, root, data, send, open) => {
  clearRoom(root)
  root.querySelector(":scope > .edge")?.remove()
  const before = root.querySelector(":scope > .evidence")
  const focused = root.getRootNode().activeElement
  const held = before && memory.find.holds(focused) ? focused : null
  const place = data.evidence ? `${data.opened} ${data.use}` : ""
  if (place !== memory.place) memory.find.reset()
  const size = before && place === memory.place ? memory.chosen?.() : null
  memory.place = place
  before?.remove()
  if (before || data.evidence) widen(root, Boolean(data.evidence))
  memory.walk = null
  if (!data.evidence) {
    const nodes = [...memory.main.querySelectorAll("button[data-source]")]
    const chips = citationChips(memory)
    const chip =
      memory.last &&
      (chips[openChip(memory, chips, memory.last)] ?? nodes.find(n => isOpen(n, memory.last)))
    if (before && chip && memory.closing) {
      memory.card.focusOn(chip)
      chip.scrollIntoView({ block: "nearest" })
    }
    return
  }
  memory.last = { opened: data.opened, use: data.use }
  memory.walk = walkThrough(memory, data, open)
  const { bar, draw } = checkBar(memory.walk, send)
  memory.walk.check = bar
  memory.drawChecks = draw
  memory.checks = ""
  const made = evidencePanel(data.evidence, send, memory.walk, memory.find)
  const { panel, reveal, aim, mark } = made
  memory.chosen = made.chosen
  memory.mark = mark
  memory.aim = aim
  mark(data.evidence.find)
  const covering = window.matchMedia(NARROW).matches
  root.append(...(covering ? [panel] : [paneEdge(root), panel]))
  if (covering) {
    panel.popover = "manual"
    panel.showPopover()
    panel.setAttribute("role", "dialog")
    panel.focus()
  }
  held?.focus({ preventScroll: true })
  requestAnimationFrame(() => {
    reveal(size)
    if (!covering && !held) panel.scrollIntoView({ block: "nearest", behavior: "smooth" })
  })
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  const root = parentElement.querySelector(".sheet")
  if (!root || !data || overtaken(root, data.turn)) return
  const memory = remembered(root)
  // What was made at the first drawing must reach the part of the page that draws it now.
  memory.setTriggerValue = setTriggerValue
  const send = (name, value) => {
    memory.closing = name === "close"
    memory.setTriggerValue(name, { ...value, at: Date.now() })
  }
  const open = (group, index, use = null, walk = false) => {
    makeRoom(root)
    send("open", { group, index, use, walk })
  }
  const again = data.again ? queries => send("again", { queries }) : null
  if (!memory.card) {
    memory.card = makeCard(root)
    memory.main = root.appendChild(el("div", "main"))
    memory.said = root.appendChild(el("p", "said"))
    memory.said.setAttribute("aria-live", "polite")
    memory.find = finder(send)
    memory.onKey = event => {
      if (!memory.walk || event.defaultPrevented) return
      if (event.key === "Escape") {
        if (document.querySelector("[data-testid=stDialog]")) return
        if (memory.find.isOpen()) memory.find.close()
        else send("close", {})
      } else if (!typing(event) && !event.ctrlKey && !event.metaKey && !event.altKey) {
        if (event.key === "j" && memory.walk.count) memory.walk.on()
        if (event.key === "k" && memory.walk.count) memory.walk.back()
      }
    }
    window.addEventListener("keydown", memory.onKey)
    if (data.arriving) arrive(root)
  }

  const host = root.getRootNode().host?.closest("[data-testid=stElementContainer]")
  const left = JSON.stringify(data.content)
  if (left !== memory.left) {
    memory.left = left
    memory.card.hide()
    const edit = data.edit && !data.content.live ? () => send("edit", {}) : null
    const save = data.export ? () => send("export", {}) : null
    const share = () => send("share", {})
    const view = VIEWS[data.content.view]
    fill(memory.main, view(memory, data.content, open, again, edit, save, share))
    if (data.content.live)
      host?.setAttribute("data-writing", data.content.tree.length ? "words" : "")
    else host?.removeAttribute("data-writing") // what stands below is laid out by it: desk.css
    for (const mark of memory.main.querySelectorAll(".scroll mark")) {
      // the cell that answers is in sight where its table is wider than the page
      const place = mark.closest(".scroll")
      const over = mark.getBoundingClientRect().right - place.getBoundingClientRect().right
      if (over > 0) place.scrollLeft += over + MARGIN
    }
    tell(memory, data.content)
  }
  const chips = citationChips(memory)
  const one = data.use === null && memory.at < 0 ? null : chips[openChip(memory, chips, data)]
  for (const node of memory.main.querySelectorAll("[data-source]")) {
    const others = one && node !== one && chips.includes(node)
    node.classList.toggle("on", isOpen(node, data) && !others)
  }

  const find = data.evidence?.find ?? null
  const found = JSON.stringify(find)
  const right = JSON.stringify([data.opened, data.use, { ...data.evidence, find: null }])
  if (right !== memory.right) {
    memory.right = right
    showEvidence(memory, root, data, send, open)
  } else if (found !== memory.found && data.evidence) {
    memory.mark(find)
    memory.aim()
  }
  memory.found = found
  memory.find.draw(find)
  const checks = JSON.stringify(data.checks)
  if (memory.walk && data.checks && checks !== memory.checks) {
    memory.checks = checks
    memory.drawChecks(data.checks)
  }
  if (!data.evidence) memory.heading = null
  holdChecks(memory, data)
  if (data.file && data.file.at !== memory.file) {
    memory.file = data.file.at
    openFile(data.file)
  }
  return () => {
    if (root.isConnected) return // Streamlit also calls this where newer data overtook a drawing
    clearRoom(root)
    widen(root, false)
    host?.removeAttribute("data-writing")
    memory.card?.remove()
    window.removeEventListener("keydown", memory.onKey)
  }
}
