// The tree of core/ui/answer/markdown.py as elements.

const PLAIN_TAGS = {
  p: "p",
  quote: "blockquote",
  li: "li",
  strong: "strong",
  em: "em",
  s: "s",
  mark: "mark",
  ul: "ul",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
}

// The blocks of an answer, each in the direction of its language; code keeps its own.
const blocks = (nodes, cite, verdict) =>
  grown(nodes, cite, verdict).map(block => {
    if (block instanceof HTMLElement && block.tagName !== "PRE") block.dir = "auto"
    return block
  })

const grown = (nodes, cite, verdict) => nodes.map(node => branch(node, cite, verdict))

const branch = (node, cite, verdict) => {
  if (typeof node === "string") return node
  const inner = () => grown(node.c ?? [], cite, verdict)
  switch (node.t) {
    case "tight": {
      const fragment = document.createDocumentFragment()
      fragment.append(...inner())
      return fragment
    }
    case "h":
      return el(`h${Math.min(node.level + 2, 6)}`, "", inner())
    case "ol": {
      const list = el("ol", "", inner())
      list.start = node.start
      return list
    }
    case "table":
      return scrolling(el("table", "", inner()))
    case "code":
      return el("pre", "", el("code", "", node.text))
    case "span":
      return el("code", "", node.text)
    case "image":
      return el("span", "left-out", node.alt ? `image not shown: ${node.alt}` : "image not shown")
    case "br":
      return el("br")
    case "hr":
      return el("hr")
    case "link":
      return link("", node.href, inner())
    case "keep":
      return el("span", "keep", inner())
    case "cite":
      return cite(node.n)
    case "claim":
      return verdict.wrap(node.k, inner())
    case "verdict":
      return verdict.after(node.k)
    default:
      return el(PLAIN_TAGS[node.t] ?? "span", "", inner())
  }
}
