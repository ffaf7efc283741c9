// The rows of the Documents page. What a person does in a row goes back as one action.

// As people write it where they are.
const time = iso => new Date(iso).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })

const documentRow = (row, send) => {
  const act = (action, value) => send("act", { action, id: row.id, value })
  const box = el("input", "")
  box.type = "checkbox"
  box.checked = row.searched
  box.disabled = row.state !== "ready" || !row.changeable
  box.setAttribute("aria-label", `Search in ${row.label}`)
  box.title = "Include in the search"
  box.onchange = () => act("searched", box.checked)
  const state = el("span", `state ${row.state}`, row.words)
  const bar = el("span", "bar", el("span", ""))
  bar.firstChild.style.width = `${Math.round(row.progress * 100)}%`
  return el(
    "li",
    `row ${row.state}${row.searched ? "" : " out"}`,
    el("label", "tick", box),
    el(
      "div",
      "name",
      textual("div", "label", row.label),
      row.about ? el("div", "about muted", row.about) : null,
      row.added ? el("div", "about muted", `added ${time(row.added)}`) : null,
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
    el("div", "standing", state, row.busy ? bar : null),
    el(
      "div",
      "figures muted",
      row.figures.map(([value, unit]) => el("span", "", el("b", "", value), ` ${unit}`)),
    ),
    el(
      "div",
      "actions",
      row.retry ? button("quiet", `Retry ${row.label}`, () => act("retry", true), "Retry") : null,
      row.readable
        ? button("quiet", `Preview ${row.label}`, () => act("preview", true), "Preview")
        : null,
      row.changeable
        ? button("quiet", `Remove ${row.label}`, () => act("remove", true), "Remove")
        : null,
    ),
  )
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  const root = parentElement.querySelector(".documents")
  if (!root || !data) return
  const send = (name, value) => setTriggerValue(name, { ...value, at: Date.now() })
  const drawn = JSON.stringify(data.rows)
  if (root.drawn === drawn) return
  root.drawn = drawn
  const focused = parentElement.activeElement?.getAttribute("aria-label")
  root.replaceChildren(
    el(
      "ul",
      "rows",
      data.rows.map(row => documentRow(row, send)),
    ),
  )
  if (focused) root.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus()
}
