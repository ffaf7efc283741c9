// Search in the document that is open: a button of the evidence's bar, and a small box that lies
// over the page, so that nothing moves. Both stay the same nodes while pages change below them.

const finder = send => {
  let asked = "" // the words whose matches are shown
  let sent = false
  const input = el("input", "")
  input.type = "text"
  input.maxLength = 200
  input.placeholder = "Words in this document"
  input.autocomplete = "off"
  input.spellcheck = false
  input.enterKeyHint = "search"
  input.setAttribute("aria-label", "Words to find in this document")
  const said = el("span", "muted find-said")
  said.setAttribute("role", "status")

  const go = delta => {
    const words = input.value.trim()
    if (!words) return input.focus()
    if (words === asked) return send("find", { delta })
    sent = true
    said.textContent = "Searching…"
    send("find", { words })
  }
  const bar = el(
    "div",
    "find",
    input,
    said,
    button("tool", "Previous match", () => go(-1), icon("up")),
    button("tool", "Next match", () => go(1), icon("down")),
    button("tool", "Close the search", () => close(), icon("close")),
  )
  const show = there => {
    bar.hidden = !there
    tool.setAttribute("aria-expanded", String(there))
  }
  const reset = () => {
    show(false)
    input.value = ""
    said.textContent = ""
    asked = ""
    sent = false
  }
  const close = () => {
    const wasSent = sent
    reset()
    tool.focus({ preventScroll: true })
    if (wasSent) send("find", {})
  }
  const toggle = () => {
    if (!bar.hidden) return close()
    show(true)
    input.focus({ preventScroll: true })
  }
  const tool = button("tool", "Search in this document", toggle, icon("find"))
  input.onkeydown = event => {
    if (event.key !== "Enter" || event.isComposing) return
    event.preventDefault()
    go(event.shiftKey ? -1 : 1)
  }
  const draw = find => {
    if (!find) {
      said.textContent = ""
      if (asked) reset()
      return
    }
    if (bar.hidden) {
      input.value = find.words
      show(true)
    }
    asked = find.words
    sent = true
    said.textContent = find.said
  }
  const holds = node => node === tool || bar.contains(node)
  show(false)
  return { tool, bar, draw, reset, close, holds, isOpen: () => !bar.hidden }
}
