// The card that shows a source's passage beside its chip: on hover, on focus, on the first tap.

const makeCard = root => {
  const card = el("div", "card")
  card.setAttribute("role", "tooltip")
  card.popover = "manual"
  let owner = null
  let timer = 0
  let tapped = false // open by a tap: it stays until the next one elsewhere

  const hide = () => {
    clearTimeout(timer)
    owner = null
    tapped = false
    if (card.matches(":popover-open")) card.hidePopover()
  }
  const hideSoon = () => {
    clearTimeout(timer)
    if (tapped) return // a finger leaves what it has touched
    timer = setTimeout(hide, 180)
  }
  const show = (chip, content, open) => {
    clearTimeout(timer)
    if (owner === chip) return
    owner = chip
    const openIt = () => {
      hide()
      open()
    }
    fill(card, content(openIt))
    if (!card.matches(":popover-open")) card.showPopover()
    place(card, chip)
  }
  card.onpointerenter = () => clearTimeout(timer)
  card.onpointerleave = hideSoon
  root.append(card)

  // The focus goes back to a chip without opening its card.
  const focusOn = chip => {
    owner = chip
    chip.focus({ preventScroll: true })
    owner = null
  }
  // `content` makes what is in the card, given what opens the source. Without `open` a click
  // lets the card stay.
  const attach = (chip, content, open = null) => {
    let touched = false
    chip.onpointerdown = event => {
      touched = event.pointerType === "touch" && owner !== chip
    }
    chip.onpointerenter = event => {
      if (event.pointerType === "touch") return
      clearTimeout(timer) // of the chip that the pointer has just left
      timer = setTimeout(() => show(chip, content, open), owner ? 0 : 120)
    }
    chip.onpointerleave = hideSoon
    chip.onfocus = () => {
      if (chip.matches(":focus-visible")) show(chip, content, open)
    }
    chip.onblur = hideSoon
    chip.onkeydown = event => {
      if (event.key === "Escape") hide()
    }
    chip.onclick = () => {
      if (touched || !open) {
        touched = false
        show(chip, content, open)
        tapped = true
        return
      }
      hide()
      open()
    }
  }
  const leave = event => {
    const at = event.composedPath()
    if (tapped && !at.includes(card) && !at.includes(owner)) hide()
  }
  const follow = () => {
    if (!owner) return
    const at = owner.getBoundingClientRect()
    if (owner.isConnected && at.top > 0 && at.bottom < window.innerHeight) place(card, owner)
    else hide()
  }
  window.addEventListener("scroll", follow, { capture: true, passive: true })
  window.addEventListener("pointerdown", leave)
  const remove = () => {
    window.removeEventListener("scroll", follow, { capture: true })
    window.removeEventListener("pointerdown", leave)
  }
  return { attach, hide, focusOn, remove }
}

// The passage of a source, with what opens it.
const sourceCard = (source, open) => [
  textual("div", "card-title", source.label),
  source.place ? el("div", "card-place", source.place) : null,
  el(
    "blockquote",
    "",
    source.table
      ? tableOf(source.table)
      : textual("div", "", source.passage ? marked(source.passage, source.quote) : source.quote),
  ),
  source.attribution ? el("div", "credit", source.attribution) : null,
  el("div", "card-foot", el("span", "grow"), button("quiet", "", open, "Open")),
]

const place = (card, chip) => {
  const at = chip.getBoundingClientRect()
  const gap = 8
  const left = Math.min(
    Math.max(gap, at.left + at.width / 2 - card.offsetWidth / 2),
    window.innerWidth - card.offsetWidth - gap,
  )
  // Below where there is no room above; where neither has enough, in the larger of the two.
  const [over, under] = [at.top - 2 * gap, window.innerHeight - at.bottom - 2 * gap]
  card.style.maxHeight = ""
  const isAbove = card.offsetHeight <= over || (card.offsetHeight > under && over > under)
  card.style.maxHeight = `min(22rem, ${isAbove ? over : under}px)`
  const quote = card.querySelector("blockquote")
  // what scrolls can be reached
  if (quote) quote.tabIndex = quote.scrollHeight > quote.clientHeight ? 0 : -1
  card.style.left = `${left}px`
  card.style.top = `${isAbove ? at.top - card.offsetHeight - gap : at.bottom + gap}px`
}

const AROUND = 160 // characters of the passage before and after a quote, to whole words
const head = text =>
  text.length > AROUND ? `${text.slice(0, AROUND).replace(/\s+\S*$/, "")} …` : text
const tail = text =>
  text.length > AROUND ? `… ${text.slice(-AROUND).replace(/^\S*\s+/, "")}` : text

// The passage with the quoted part marked in it, shortened around it.
const marked = (passage, quote) => {
  const at = passage.indexOf(quote)
  if (!quote || at < 0) return [el("mark", "", quote || passage)]
  return [tail(passage.slice(0, at)), el("mark", "", quote), head(passage.slice(at + quote.length))]
}
