// The rows of the Documents page. What a person does in a row, or with the rows that are selected,
// goes back as one action. Which are selected is known here alone, so that selecting needs no answer
// of the server; "all" stands for everything that the filter lets pass, on other pages too.

// As people write it where they are.
const time = iso => new Date(iso).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })

const checkbox = (label, checked, onChange) => {
  const box = el("input", "")
  box.type = "checkbox"
  box.checked = checked
  box.setAttribute("aria-label", label)
  box.onchange = () => onChange(box.checked)
  return box
}

// Whether the document is searched: shown at once, whatever the server still has to do.
const searchedBox = (row, item, send) => {
  const box = checkbox(`Search in ${row.label}`, row.searched, on => {
    item().classList.toggle("out", !on)
    send("act", { action: "searched", id: row.id, value: on })
  })
  box.disabled = !row.changeable
  box.title = "Include in the search"
  return el("label", "included", box, "in search")
}

const documentRow = (row, chosen, select, send) => {
  const act = (action, value) => send("act", { action, id: row.id, value })
  const state = el("span", `state ${row.state}`, row.words)
  const bar = el("span", "bar", el("span", ""))
  bar.firstChild.style.width = `${Math.round(row.progress * 100)}%`
  const item = el(
    "li",
    `row ${row.state}${row.searched ? "" : " out"}${chosen ? " chosen" : ""}`,
    el(
      "label",
      "tick",
      row.changeable ? checkbox(`Select ${row.label}`, chosen, on => select(row.id, on)) : null,
    ),
    el(
      "div",
      "name",
      textual("div", "label", row.label),
      row.about ? el("div", "about muted", row.about) : null,
      row.added ? el("div", "about muted", `added ${time(row.added)}`) : null,
      row.tags.length
        ? el(
            "div",
            "tags",
            row.tags.map(tag =>
              button("tag", `Show documents tagged ${tag}`, () => act("only-tag", tag), tag),
            ),
          )
        : null,
      row.reason
        ? el(
            "div",
            "why",
            coded(row.reason),
            row.cure ? el("span", "cure", " ", coded(row.cure)) : null,
          )
        : null,
      row.notices.map(text => el("div", "said muted", text)),
    ),
    el(
      "div",
      "standing",
      state,
      row.busy ? bar : null,
      row.readable ? searchedBox(row, () => item, send) : null,
    ),
    el(
      "div",
      "figures muted",
      row.figures.map(([value, unit]) => el("span", "", el("b", "", value), ` ${unit}`)),
    ),
    el(
      "div",
      "actions",
      row.locked
        ? button("quiet", `Password of ${row.label}`, () => act("password", true), "Password")
        : null,
      row.retry ? button("quiet", `Retry ${row.label}`, () => act("retry", true), "Retry") : null,
      row.readable
        ? button("quiet", `Preview ${row.label}`, () => act("preview", true), "Preview")
        : null,
      row.changeable
        ? button("quiet", `Remove ${row.label}`, () => act("remove", true), "Remove")
        : null,
    ),
  )
  return item
}

const MANY = [
  ["tag", "Tags"],
  ["put-in", "Include in search"],
  ["take-out", "Leave out of search"],
  ["retry", "Retry"],
  ["remove", "Remove"],
]

// Which rows are selected: some by their ids, or all that the filter lets pass.
const newChoice = changed => {
  let ids = new Set()
  let all = false
  return {
    has: id => all || ids.has(id),
    count: total => (all ? total : ids.size),
    sent: () => ({ many: true, all, ids: all ? [] : [...ids] }),
    // One that is taken out of all leaves the others of its page.
    set(some, on, here) {
      if (all) ids = new Set(here)
      all = false
      for (const id of some) ids[on ? "add" : "delete"](id)
      changed()
    },
    reset(everything) {
      ids = new Set()
      all = everything
      changed()
    },
  }
}

// What can be done with the rows that are selected.
const selectionBar = (data, choice, send) => {
  const here = data.rows.map(row => row.id)
  const whole = here.length > 0 && here.every(choice.has)
  const count = choice.count(data.total)
  const box = checkbox("Select all on this page", whole, on => choice.set(here, on, []))
  box.indeterminate = count > 0 && !whole
  return el(
    "div",
    "selection",
    el("label", "tick", box),
    count
      ? [
          el("span", "", `${count.toLocaleString()} selected`),
          whole && count < data.total
            ? button(
                "quiet",
                "",
                () => choice.reset(true),
                `Select all ${data.total.toLocaleString()}`,
              )
            : null,
          MANY.map(([action, words]) =>
            button("quiet", "", () => send("act", { action, ...choice.sent() }), words),
          ),
          button("quiet", "", () => choice.reset(false), "Clear"),
        ]
      : el("span", "muted", data.total > here.length ? "Select all on this page" : "Select all"),
  )
}

// The rows, below the name and the size of the group that each is in; a group may have begun on an
// earlier page, and go on on a later one.
const rowLists = (data, rowOf, send) => {
  const names = [...new Set(data.rows.map(row => row.group))]
  if (!Object.keys(data.groups).length) return el("ul", "rows", data.rows.map(rowOf))
  return names.map(name => {
    const words = `${name} (${data.groups[name].toLocaleString()})`
    const heading = el("h2", "group", words)
    heading.id = `group-${name.replaceAll(" ", "-")}`
    const list = el("ul", "rows", data.rows.filter(row => row.group === name).map(rowOf))
    list.setAttribute("aria-labelledby", heading.id)
    const only = () => send("act", { action: "only-origin", value: name })
    const alone = Object.keys(data.groups).length === 1
    const narrow = alone
      ? null
      : button("quiet", `Show only these: ${name}`, only, "Show only these")
    return el("section", "", el("div", "group-head", heading, narrow), list)
  })
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  const root = parentElement.querySelector(".documents")
  if (!root || !data || overtaken(root, data.turn)) return
  const send = (name, value) => setTriggerValue(name, { ...value, at: Date.now() })
  root.choice ??= newChoice(() => root.draw())
  root.draw = () => {
    const { choice } = root
    const here = data.rows.map(row => row.id)
    const focused = parentElement.activeElement?.getAttribute("aria-label")
    const select = (id, on) => choice.set([id], on, here)
    fill(
      root,
      data.rows.some(row => row.changeable) ? selectionBar(data, choice, send) : null,
      rowLists(data, row => documentRow(row, choice.has(row.id), select, send), send),
    )
    if (focused) root.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus()
  }
  const drawn = JSON.stringify({ ...data, turn: 0 })
  if (root.drawn === drawn) return
  root.drawn = drawn
  // Another filter, or a removal: what was selected may not be there.
  if (root.selecting === data.selecting) return root.draw()
  root.selecting = data.selecting
  root.choice.reset(false)
}
