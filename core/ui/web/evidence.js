// The opened passage: the page of a PDF with the place marked, or the text around it.

const LEAST_LINE = 14.2 // pixels: the height of a marked line when a page is opened
const MARGIN = 8 // pixels at both sides of the marked lines
const MOST_LINE = 18
const STEPS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 2.5, 3, 4]

const evidencePanel = (data, send, walk, search) => {
  const view = data.image ? pageView(data) : null
  const body = view ? view.body : data.text.length ? pageText(data) : null
  // A size that the person chose stays while they read on in the same document.
  const reveal = chosen => {
    if (view && chosen) view.restore(chosen)
    else if (view) view.fit("passage")
    else if (body) scrollToMark(body)
  }
  const tool = (name, label, onClick, there = true) => {
    const node = button("tool", label, onClick, icon(name))
    node.disabled = !there
    return node
  }
  const turn = delta => send("page", { delta })
  const panel = el(
    "section",
    "evidence",
    el(
      "header",
      "",
      el(
        "div",
        "evidence-title",
        el(
          "span",
          "",
          textual("strong", "", data.label),
          data.ocr ? el("span", "tag", "read by OCR") : null,
        ),
        data.heading ? el("span", "muted", data.heading) : null,
      ),
      tool("close", "Close the evidence", () => send("close", {})),
    ),
    el(
      "div",
      "evidence-tools",
      data.paged ? tool("left", "Previous page", () => turn(-1), data.previous) : null,
      data.page ? el("span", "muted evidence-page", data.page) : null,
      data.paged ? tool("right", "Next page", () => turn(1), data.next) : null,
      el("span", "grow"),
      view
        ? [
            tool("less", "Smaller", () => view.step(-1)),
            view.said,
            tool("more", "Larger", () => view.step(1)),
            tool("width", "Fit the width", () => view.fit("width")),
            tool("whole", "Whole page", () => view.fit("page")),
            tool("turn", "Rotate the page", () => view.turn()),
          ]
        : null,
      data.searchable ? search.tool : null,
      data.keep
        ? button("quiet", "", () => send("keep", {}), icon("keep"), "Keep in library")
        : null,
      data.original ? tool("file", "Open the original file", () => send("original", {})) : null,
      data.link ? outLink(data.link) : null,
    ),
    el("div", "find-place", search.bar),
    data.missing ? el("p", "notice warning", data.missing) : null,
    view ? view.words : null,
    body,
    data.attribution ? el("div", "credit", data.attribution) : null,
    walk.checks && walk.use !== null ? walk.check : null,
    walk.count > 1 ? walkBar(walk) : null,
  )
  panel.setAttribute("aria-label", "Evidence")
  panel.setAttribute("tabindex", "-1")
  if (view) new ResizeObserver(() => view.again()).observe(view.body)
  keepAboveBox(panel)
  const aim = () => {
    if (body) scrollToMark(body)
  }
  return { panel, reveal, aim, mark: find => view?.mark(find), chosen: () => view?.chosen() }
}

// The panel ends where the box for questions begins, however high that is.
const keepAboveBox = panel => {
  const bottom = document.querySelector("[data-testid=stBottom]")
  const fit = () => {
    const under = bottom ? bottom.getBoundingClientRect().height : 0
    panel.style.setProperty("--under", `${under}px`)
  }
  fit()
  if (bottom) new ResizeObserver(fit).observe(bottom)
}

// From citation to citation of the answer, in the order of its text.
const walkBar = walk =>
  el(
    "nav",
    "walk",
    button("quiet", "Previous citation (k)", walk.back, icon("left"), "Previous"),
    el("span", "muted", `Citation ${walk.at + 1} of ${walk.count}`),
    button("quiet", "Next citation (j)", walk.on, "Next", icon("right")),
  )

// What a person found on looking at the source; it is kept with the answer.
const checkBar = (walk, send) => {
  const bar = el("div", "check")
  const draw = checks => {
    const mine = checks.find(check => check.mark === walk.use)
    const found = checks.filter(check => check.agrees !== null).length
    const note = el("input", "")
    note.type = "text"
    note.maxLength = 500
    note.placeholder = "Note"
    note.value = mine?.note ?? ""
    note.setAttribute("aria-label", "Note to this citation")
    const say = agrees => send("check", { mark: walk.use, agrees, note: note.value })
    const choice = (agrees, name, words) => {
      const node = button(
        `quiet ${name}`,
        "",
        () => say(mine?.agrees === agrees ? null : agrees),
        icon(agrees ? "done" : "close"),
        words,
      )
      node.setAttribute("aria-pressed", String(mine?.agrees === agrees))
      return node
    }
    note.onchange = () => say(mine?.agrees ?? null)
    fill(
      bar,
      choice(true, "agrees", "Agrees"),
      choice(false, "differs", "Does not"),
      note,
      el("span", "muted", `${found} of ${walk.total} checked`),
    )
  }
  return { bar, draw }
}

const outLink = href => {
  const node = link("tool", href, icon("out"))
  node.setAttribute("aria-label", "Open the page on the web, at the passage")
  node.title = "Open the page on the web, at the passage"
  return node
}

// The edge between the answer and its evidence; the width stays for the next time.
const WIDTH = "footnote-evidence-width"
const SHARE = 50 // percent of the page
const WIDE_SHARE = 59 // on a wide window, where the lines of a common page then fit as they are read
const WIDE_WINDOW = "(min-width: 1400px)"

const paneEdge = root => {
  const edge = el("div", "edge")
  edge.setAttribute("role", "separator")
  edge.setAttribute("aria-orientation", "vertical")
  edge.setAttribute("aria-label", "Width of the evidence")
  edge.tabIndex = 0
  const set = share => {
    const percent = Math.round(Math.min(Math.max(share, 25), 75))
    root.style.setProperty("--pane", `${percent}%`)
    edge.setAttribute("aria-valuenow", String(percent))
  }
  const now = () => Number(edge.getAttribute("aria-valuenow"))
  const choose = share => {
    set(share)
    localStorage.setItem(WIDTH, String(now()))
  }
  const usual = window.matchMedia(WIDE_WINDOW).matches ? WIDE_SHARE : SHARE
  set(Number(localStorage.getItem(WIDTH)) || usual)
  edge.onpointerdown = event => {
    edge.setPointerCapture(event.pointerId)
    event.preventDefault()
  }
  edge.onpointermove = event => {
    if (!edge.hasPointerCapture(event.pointerId)) return
    const room = root.getBoundingClientRect()
    choose(((room.right - event.clientX) / room.width) * 100)
  }
  edge.onkeydown = event => {
    const step = { ArrowLeft: 3, ArrowRight: -3 }[event.key]
    if (step) choose(now() + step)
  }
  return edge
}

// The image of a page with its marks, at any size and turned in quarters.
const pageView = data => {
  const image = el("img")
  image.src = data.image // a data: address made from the bytes of our own renderer
  image.alt = `${data.label}, ${data.page}`
  const page = el(
    "div",
    "page",
    image,
    el(
      "div",
      "boxes others",
      data.others.map(edges => markBox("box other", edges)),
    ),
    el(
      "div",
      "boxes",
      data.boxes.map(edges => markBox("box", edges)),
    ),
    data.column?.length ? markBox("column", [data.column[0], 0, data.column[1], 1]) : null,
  )
  let now = [] // the boxes of the match that is shown
  const mark = find => {
    for (const box of page.querySelectorAll(".found")) box.remove()
    now = find?.now ?? []
    page.append(...(find?.boxes ?? []).map(edges => markBox("box found", edges)))
    page.append(...now.map(edges => markBox("box found now", edges)))
  }
  const slot = el("div", "page-slot", page)
  const body = el("div", "evidence-body", slot)
  body.tabIndex = 0 // so that it scrolls with the keyboard
  // Where the marked lines are wider than their place, they are there to read as text too.
  const words = textual("p", "evidence-words", data.words)
  words.tabIndex = 0 // so that it scrolls with the keyboard
  words.hidden = true
  const lefts = data.boxes.map(box => box[0])
  const span = Math.max(...data.boxes.map(box => box[2])) - Math.min(...lefts)
  const said = el("span", "zoom muted")
  const tall = data.height / data.width || Math.SQRT2
  let quarter = 0
  let mode = "passage"
  let width = 0 // of the page as it is printed, in pixels
  let zoom = 1 // of the width that fits

  const room = () => ({ across: body.clientWidth, down: body.clientHeight })
  const acrossToWidth = across => (quarter % 2 ? across / tall : across)
  const widths = {
    width: () => acrossToWidth(room().across),
    page: () => {
      const { across, down } = room()
      return quarter % 2 ? Math.min(down, across / tall) : Math.min(across, down / tall)
    },
    passage: () => {
      const fitting = widths.width()
      const boxes = now.length ? now : data.boxes
      if (!boxes.length) return fitting
      const lines = boxes.map(([left, top, right, bottom]) =>
        Math.min(right - left, (bottom - top) * tall),
      )
      const line = lines.sort((a, b) => a - b)[Math.floor(lines.length / 2)]
      // The lines beside the marked one are read too, so all of its column is to be seen.
      const [from, to] = (!now.length && data.column) || []
      const left = Math.min(from ?? 1, ...boxes.map(box => box[0]))
      const right = Math.max(to ?? 0, ...boxes.map(box => box[2]))
      const filling = (room().across - 2 * MARGIN) / (right - left)
      return Math.max(fitting, LEAST_LINE / line, Math.min(filling, MOST_LINE / line))
    },
  }
  const place = () => {
    const height = width * tall
    const [across, down] = quarter % 2 ? [height, width] : [width, height]
    const shifts = ["", `translateX(${height}px)`, `translate(${width}px, ${height}px)`]
    page.style.width = `${width}px`
    page.style.height = `${height}px`
    page.style.transform = `${[...shifts, `translateY(${width}px)`][quarter]} rotate(${quarter * 90}deg)`
    slot.style.width = `${across}px`
    slot.style.height = `${down}px`
    words.hidden = !data.words || quarter % 2 === 1 || span * width <= room().across
    zoom = width / widths.width()
    said.textContent = `${Math.round(zoom * 100)} %`
  }
  const fit = wanted => {
    mode = wanted
    width = widths[mode]()
    place()
    if (mode === "page") body.scrollTo(0, 0)
    else scrollToMark(body)
  }
  const step = delta => {
    const now = width / widths.width()
    const next = delta > 0 ? STEPS.find(s => s > now + 0.01) : STEPS.findLast(s => s < now - 0.01)
    if (!next) return
    mode = ""
    width = widths.width() * next
    place()
    scrollToMark(body)
  }
  const chosen = () => (mode === "passage" ? null : { mode, quarter, zoom })
  const restore = before => {
    quarter = before.quarter
    if (before.mode) return fit(before.mode)
    mode = ""
    width = widths.width() * before.zoom
    place()
    scrollToMark(body)
  }
  const turn = () => {
    quarter = (quarter + 1) % 4
    fit(mode === "page" ? "page" : "width")
  }
  let across = 0
  const again = () => {
    if (across && across !== body.clientWidth && mode) fit(mode)
    across = body.clientWidth
  }
  return { body, words, said, fit, step, turn, again, mark, chosen, restore }
}

const markBox = (className, [left, top, right, bottom]) => {
  const box = el("div", className)
  box.style.left = `${left * 100}%`
  box.style.top = `${top * 100}%`
  box.style.width = `${(right - left) * 100}%`
  box.style.height = `${(bottom - top) * 100}%`
  return box
}

const pageText = data => {
  const body = textual(
    "div",
    "evidence-body text",
    data.blocks?.length
      ? data.blocks.map(block => (block.rows ? tableOf(block) : pieces(block.pieces)))
      : pieces(data.text),
  )
  body.tabIndex = 0 // so that it scrolls with the keyboard
  return body
}

// Scrolls the panel, not the page, so that the mark stands in its upper third. A match that can be
// seen stays where it is.
const UNDER_SEARCH = 72 // pixels: the box of the search lies over them
const AIMS = [".now", ".box:not(.other, .found), mark.mark", ".box, mark"]

const scrollToMark = body => {
  const marks = AIMS.map(aim => [...body.querySelectorAll(aim)]).find(found => found.length)
  if (!marks) return
  const here = body.getBoundingClientRect()
  const there = marks.map(node => node.getBoundingClientRect())
  const seen = inside => marks[0].matches(".now") && there.every(inside)
  if (!seen(box => box.top >= here.top + UNDER_SEARCH && box.bottom <= here.bottom))
    body.scrollTop += there[0].top - here.top - body.clientHeight * 0.3
  if (!seen(box => box.left >= here.left && box.right <= here.right)) {
    const column = body.querySelector(".column")?.getBoundingClientRect()
    const fits = column && column.width <= body.clientWidth && !marks[0].matches(".now")
    const left = fits ? column.left : Math.min(...there.map(box => box.left))
    body.scrollLeft += left - here.left - MARGIN
  }
}

// A file that the page was asked for: a PDF opens in a tab of its own, anything else is saved.
// Nothing but a PDF is opened, as a page made of a document would have the power of this site.
const openFile = file => {
  const bytes = Uint8Array.from(atob(file.data), sign => sign.charCodeAt(0))
  const pdf = file.name.toLowerCase().endsWith(".pdf")
  const kind = pdf ? "application/pdf" : "application/octet-stream"
  const address = URL.createObjectURL(new Blob([bytes], { type: kind }))
  const leave = document.createElement("a")
  leave.href = pdf ? `${address}#page=${file.page}` : address
  if (pdf) leave.target = "_blank"
  else leave.download = file.name
  leave.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
