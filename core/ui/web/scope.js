// The choice of the documents that a question is asked of. What is chosen goes back whole with every
// click; the list is filtered here, so that thousands of documents are no wait.

const LISTED = 200

const WHOLE = {
  documents: null,
  origin: [],
  kind: [],
  tags: [],
  added_after: null,
  published_after: null,
}

const passes = (document, scope) =>
  (!scope.origin.length || scope.origin.includes(document.origin)) &&
  (!scope.kind.length || scope.kind.includes(document.kind)) &&
  (!scope.tags.length || scope.tags.some(tag => document.tags.includes(tag))) &&
  (!scope.added_after || Date.parse(document.added) >= Date.parse(scope.added_after)) &&
  (!scope.published_after || document.published >= scope.published_after)

const isWhole = scope =>
  !scope.documents &&
  !scope.origin.length &&
  !scope.kind.length &&
  !scope.tags.length &&
  !scope.added_after &&
  !scope.published_after

const asRead = sent => ({ ...sent, documents: sent.documents ? new Set(sent.documents) : null })
const asSent = scope => ({ ...scope, documents: scope.documents ? [...scope.documents] : null })

// Tick or untick documents. What is ticked whole is no choice of single documents any more.
const ticked = (scope, all, changed, on) => {
  const passing = all.filter(document => passes(document, scope))
  const chosen = new Set(scope.documents ?? passing.map(document => document.id))
  for (const { id } of changed) chosen[on ? "add" : "delete"](id)
  const whole = passing.length > 0 && passing.every(document => chosen.has(document.id))
  return { ...scope, documents: whole ? null : chosen }
}

// The day of a moment, and the moment at which a day begins, in the browser's time zone.
const dayOf = moment => (moment ? new Date(moment).toLocaleDateString("sv") : "")
const beginOf = day => new Date(`${day}T00:00`).toISOString()

// The values of a field, each with its words, as pairs.
const different = (documents, key, words) => [
  ...new Map(
    documents.flatMap(one =>
      [one[key]]
        .flat()
        .filter(Boolean)
        .map(value => [value, words ? one[words] : value]),
    ),
  ),
]

export default function (component) {
  const { data, parentElement, setStateValue } = component
  const root = parentElement.querySelector(".scope")
  if (!root || !data) return
  const all = data.documents
  const drawn = JSON.stringify(all)
  if (root.drawn === drawn) return // it is as the person left it
  root.drawn = drawn
  if (!root.memory) root.memory = { scope: asRead(data.scope), keep: data.keep, find: "" }
  const memory = root.memory

  // A state and no trigger: it comes with whatever is sent next as well.
  const send = () =>
    setStateValue("choice", { scope: asSent(memory.scope), keep: memory.keep, at: Date.now() })
  const choose = scope => {
    memory.scope = scope
    send()
    draw()
  }
  const isAsked = document =>
    passes(document, memory.scope) &&
    (!memory.scope.documents || memory.scope.documents.has(document.id))
  const found = () => {
    const words = memory.find.toLowerCase().split(/\s+/).filter(Boolean)
    return all.filter(document => {
      const name = `${document.label} ${document.title}`.toLowerCase()
      return passes(document, memory.scope) && words.every(word => name.includes(word))
    })
  }

  const day = (label, key, shown = same => same, sent = same => same) => {
    const input = el("input", "")
    input.type = "date"
    input.min = "1900-01-01"
    input.max = "9998-12-31"
    input.value = shown(memory.scope[key] ?? "")
    input.dataset.name = key
    input.onchange = () => {
      const value = input.validity.valid && input.value
      choose({ ...memory.scope, [key]: value ? sent(value) : null })
    }
    return el("label", "field", el("span", "muted", label), input)
  }

  const switches = (key, values) =>
    values.map(([value, words]) => {
      const on = memory.scope[key].includes(value)
      const others = memory.scope[key].filter(one => one !== value)
      const change = () => choose({ ...memory.scope, [key]: on ? others : [...others, value] })
      const node = button("chip", "", change, words)
      node.setAttribute("aria-pressed", String(on))
      node.dataset.name = `${key}-${value}`
      return node
    })

  const row = document => {
    const box = el("input", "")
    box.type = "checkbox"
    box.checked = isAsked(document)
    box.dataset.name = document.id
    box.onchange = () => choose(ticked(memory.scope, all, [document], box.checked))
    return el("li", "", el("label", "", box, textual("span", "label", document.label)))
  }

  const list = el("ul", "list")
  list.setAttribute("aria-label", "Documents")
  const said = el("span", "grow muted")
  said.setAttribute("role", "status")
  const find = el("input", "find")
  find.type = "search"
  find.placeholder = "Find a document"
  find.setAttribute("aria-label", "Find a document")
  find.value = memory.find
  find.oninput = () => {
    memory.find = find.value
    drawList()
  }
  const keep = el("input", "")
  keep.type = "checkbox"
  keep.checked = memory.keep
  keep.onchange = () => {
    memory.keep = keep.checked
    send()
  }
  const filters = el("div", "filters")
  const reset = button("quiet", "", () => choose(WHOLE), "Ask all documents")

  const drawList = () => {
    const shown = found()
    const more = shown.length - LISTED
    fill(
      list,
      shown.slice(0, LISTED).map(row),
      more > 0
        ? el("li", "muted", `and ${more.toLocaleString("en")} more: type to find them`)
        : null,
      shown.length ? null : el("li", "muted", "No document fits."),
    )
  }
  const draw = () => {
    const focused = parentElement.activeElement?.dataset.name
    const asked = all.filter(isAsked).length
    said.textContent = `${asked.toLocaleString("en")} of ${all.length.toLocaleString("en")} asked`
    const groups = [
      ["origin", different(all, "origin", "from"), 2],
      ["kind", different(all, "kind", "type"), 2],
      ["tags", different(all, "tags"), 1],
    ].filter(([key, values, least]) => values.length >= least || memory.scope[key].length)
    fill(
      filters,
      groups.map(([key, values]) => el("div", "chips", switches(key, values))),
      el(
        "div",
        "days",
        day("Added since", "added_after", dayOf, beginOf),
        all.some(document => document.published) ? day("Published since", "published_after") : null,
      ),
    )
    reset.hidden = isWhole(memory.scope)
    drawList()
    if (focused) root.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus()
  }

  fill(
    root,
    find,
    filters,
    el(
      "div",
      "bar",
      said,
      button("quiet", "", () => choose(ticked(memory.scope, all, found(), true)), "All"),
      button("quiet", "", () => choose(ticked(memory.scope, all, found(), false)), "None"),
    ),
    list,
    el("div", "foot", el("label", "", keep, el("span", "", "Keep for the next questions")), reset),
  )
  draw()
}
