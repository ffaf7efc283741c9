// Building blocks. Everything a person, a document or a model wrote reaches the page through
// `append`, which makes text nodes of strings: markup in it stays text. Nothing here assigns HTML.

// Replace what is in a node; children that are null, undefined or "" are left out.
const fill = (node, ...children) => {
  const present = children
    .flat(Infinity)
    .filter(child => child !== null && child !== undefined && child !== "")
  node.replaceChildren(...present)
  return node
}

const el = (tag, className, ...children) => {
  const node = document.createElement(tag)
  if (className) node.className = className
  return fill(node, ...children)
}

// An element whose text runs as its first letter does: Arabic and Hebrew from right to left.
const textual = (tag, className, ...children) => {
  const node = el(tag, className, ...children)
  node.dir = "auto"
  return node
}

// What is wider than its place scrolls, with the keyboard too.
const scrolling = (...children) => {
  const node = el("div", "scroll", ...children)
  node.tabIndex = 0
  return node
}

const pieces = texts => texts.map(([piece, kind]) => (kind ? el("mark", kind, piece) : piece))

// Rows of core/ui/answer/rows.py as a table.
const tableOf = ({ rows, head }) =>
  scrolling(
    el(
      "table",
      "cells",
      rows.map((row, at) =>
        el(
          "tr",
          "",
          row.map(cell => textual(head && !at ? "th" : "td", "", pieces(cell))),
        ),
      ),
    ),
  )

const button = (className, label, onClick, ...children) => {
  const node = el("button", className, ...children)
  node.type = "button"
  if (label) {
    node.setAttribute("aria-label", label)
    if (!children.some(child => typeof child === "string")) node.title = label
  }
  node.onclick = onClick
  return node
}

const ICONS = {
  close: "M6 6l12 12M18 6L6 18",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  out: "M8 6h10v10M18 6L6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  save: "M12 4v11M7 10l5 5 5-5M5 20h14",
  share: "M12 15V3M8 7l4-4 4 4M6 11v10h12V11",
  keep: "M7 4h10v16l-5-4-5 4z",
  pen: "M4 20l1-4L16 5l3 3L8 19z",
  near: "M4 9c2.5-2.5 5 2.5 8 0s5.5-2.5 8 0M4 15c2.5-2.5 5 2.5 8 0s5.5-2.5 8 0",
  none: "M12 3a9 9 0 100 18 9 9 0 000-18zM5.7 5.7l12.6 12.6",
  look: "M12 8v5M12 16.5v.1M12 3a9 9 0 100 18 9 9 0 000-18z",
  done: "M5 13l4 4L19 7",
  less: "M5 12h14",
  more: "M5 12h14M12 5v14",
  width: "M4 5v14M20 5v14M8 12h8M10.5 9.5L8 12l2.5 2.5M13.5 9.5L16 12l-2.5 2.5",
  whole: "M7 3h10v18H7zM10 8h4M10 12h4",
  turn: "M19 12a7 7 0 11-2.5-5.4M17 3v4h-4",
  find: "M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.3 15.3L20 20",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
  file: "M13 3H6v18h12V8zM13 3v5h5",
}

const icon = name => {
  const space = "http://www.w3.org/2000/svg"
  const svg = document.createElementNS(space, "svg")
  svg.setAttribute("viewBox", "0 0 24 24")
  svg.setAttribute("class", "icon")
  svg.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(space, "path")
  path.setAttribute("d", ICONS[name])
  svg.append(path)
  return svg
}

// Only web addresses become links, whatever the data says.
const link = (className, href, ...children) => {
  if (!/^https?:\/\//i.test(href)) return el("span", className, ...children)
  const node = el("a", className, ...children)
  node.href = href
  node.target = "_blank"
  node.rel = "noopener noreferrer nofollow"
  return node
}

// A foldable block that stays as the person left it when its content is drawn again.
const foldable = (memory, name, title, fill) => {
  const node = el("details", `fold ${name}`, el("summary", "", title))
  const filled = () => {
    if (node.childElementCount === 1) node.append(el("div", "fold-body", fill()))
  }
  node.open = memory.open.has(name)
  if (node.open) filled()
  node.ontoggle = () => {
    memory.open[node.open ? "add" : "delete"](name)
    if (node.open) filled()
  }
  return node
}

// Our own messages name commands in `backticks`, which are set as code.
const coded = text =>
  text.split(/`([^`]+)`/).map((part, place) => (place % 2 ? el("code", "", part) : part))

const copyText = async text => {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement("textarea") // without https there is no clipboard API
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand("copy")
  area.remove()
}

// Whether a newer drawing stands there already: Streamlit waits for the JavaScript anew at every
// drawing, and while it is loaded for the first time they may come in another order.
const overtaken = (root, [tab, turn]) => {
  const late = root.tab === tab && turn < root.turn
  if (!late) Object.assign(root, { tab, turn })
  return late
}
