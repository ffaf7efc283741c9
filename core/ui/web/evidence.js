// The opened passage: the page of a PDF with the place marked, or the text around it.

const evidencePanel = (memory, data, send) => {
  const text = data.before || data.mark || data.after
  const body = data.image ? pageImage(data) : text ? pageText(data) : null
  const zoom = data.image
    ? button(
        "tool",
        "Enlarge the page",
        () => {
          memory.zoomed = panel.classList.toggle("zoomed")
          reveal(body)
        },
        icon("zoom"),
      )
    : null
  const step = (name, label, delta, there) => {
    const node = button("tool", label, () => send("page", { delta }), icon(name))
    node.disabled = !there
    return node
  }
  const panel = el(
    "section",
    `evidence${memory.zoomed ? " zoomed" : ""}`,
    el(
      "header",
      "",
      el(
        "div",
        "evidence-title",
        textual("strong", "", data.label),
        data.heading ? el("span", "muted", data.heading) : null,
      ),
      button("tool", "Close the evidence", () => send("close", {}), icon("close")),
    ),
    el(
      "div",
      "evidence-tools",
      el("span", "muted", data.page),
      data.ocr ? el("span", "tag", "read by OCR") : null,
      el("span", "grow"),
      data.paged ? step("left", "Previous page", -1, data.previous) : null,
      data.paged ? step("right", "Next page", 1, data.next) : null,
      zoom,
      data.keep
        ? button(
            "quiet",
            "Keep this web page in the library",
            () => send("keep", {}),
            icon("keep"),
            "Keep in library",
          )
        : null,
      data.link ? outLink(data.link) : null,
    ),
    data.missing ? el("p", "notice warning", data.missing) : null,
    body,
    data.attribution ? el("footer", "credit", data.attribution) : null,
  )
  panel.setAttribute("aria-label", "Evidence")
  panel.setAttribute("tabindex", "-1")
  panel.onkeydown = event => {
    if (event.key === "Escape") send("close", {})
  }
  return { panel, reveal: () => body && reveal(body) }
}

const outLink = href => {
  const node = link("tool", href, icon("out"))
  node.setAttribute("aria-label", "Open the page on the web, at the passage")
  node.title = "Open the page on the web, at the passage"
  return node
}

const pageImage = data => {
  const image = el("img")
  image.src = data.image // a data: address made from the bytes of our own renderer
  image.alt = `${data.label}, ${data.page}`
  if (data.width && data.height) image.style.aspectRatio = `${data.width} / ${data.height}`
  const sheet = el("div", "page", image)
  for (const [left, top, right, bottom] of data.boxes) {
    const box = el("div", "box")
    box.style.left = `${left * 100}%`
    box.style.top = `${top * 100}%`
    box.style.width = `${(right - left) * 100}%`
    box.style.height = `${(bottom - top) * 100}%`
    sheet.append(box)
  }
  return el("div", "evidence-body", sheet)
}

const pageText = data =>
  textual(
    "div",
    "evidence-body text",
    data.before,
    data.mark ? el("mark", "", data.mark) : null,
    data.after,
  )

// Scrolls the panel, not the page, so that the mark stands in its upper third.
const reveal = body => {
  const mark = body.querySelector(".box, mark")
  if (!mark) return
  const there = mark.getBoundingClientRect()
  const here = body.getBoundingClientRect()
  body.scrollTop += there.top - here.top - body.clientHeight * 0.3
  body.scrollLeft += there.left - here.left - 24
}
