// The box for questions: what was typed and not sent is there again after another page was looked
// at, and on a low window the box leaves the answer more room.

const DRAFT = "footnote-draft"
const LOW = "(max-height: 620px)"
const SEND = "[data-testid=stChatInputSubmitButton]"
const EVERY = 200 // milliseconds between two looks at the box
const box = () => document.querySelector("[data-testid=stChatInputTextArea]")

const typeInto = (area, text) => {
  // React reads the value that the element's own setter was given.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(area, text)
  area.dispatchEvent(new Event("input", { bubbles: true }))
}

const keep = area => sessionStorage.setItem(DRAFT, area.value)

let sending = false

const follow = area => {
  if (area.dataset.kept) return
  area.dataset.kept = "as a draft"
  let untouched = true
  const restore = () => {
    // A box that is still being set up empties itself again, without a word.
    const draft = sessionStorage.getItem(DRAFT)
    if (draft && !sending && !area.value) typeInto(area, draft)
    setTimeout(() => untouched && area.isConnected && restore(), EVERY)
  }
  restore()
  area.addEventListener("input", event => {
    if (event.isTrusted) untouched = false
    keep(area)
  })
  // What was sent is no draft, also where the box is made anew meanwhile.
  const sent = () => {
    untouched = false
    sending = true
    setTimeout(() => {
      sending = false
      if (area.isConnected) keep(area)
      else sessionStorage.removeItem(DRAFT)
    }, 400)
  }
  area.addEventListener("keydown", event => event.key === "Enter" && sent())
  area
    .closest("[data-testid=stChatInput]")
    ?.addEventListener("click", event => event.target.closest(SEND) && sent())
}

// Whoever opens the chat can type at once. On a phone the keyboard would cover half of it, and who
// is at something else stays there.
const takeFocus = area => {
  const at = document.activeElement
  const idle = !at || at === document.body || at.closest("[data-testid=stPageLink]")
  if (idle && !window.matchMedia("(pointer: coarse)").matches) area.focus({ preventScroll: true })
}

// Below the last answer is as much room as lets its question stand at the top, and no more: the end
// of the page is never an empty screen.
const TOP = 74 // pixels above the question, as scroll-margin-top of .sheet has them
const fitRoom = () => {
  const main = document.querySelector("[data-testid=stMain]")
  const sheet = [...document.querySelectorAll("[class*=st-key-answer-]")].at(-1)
  const room = [...document.querySelectorAll(".st-key-room")].find(
    node => !node.closest(".st-key-writing"),
  )
  if (!main || !sheet || !room) return
  const below = main.getBoundingClientRect().top + main.scrollHeight - main.scrollTop
  const missing = main.clientHeight - TOP - (below - sheet.getBoundingClientRect().top)
  const height = Math.max(0, room.offsetHeight + missing)
  if (Math.abs(height - room.offsetHeight) >= 1) room.style.height = `${height}px`
}

// Streamlit's first link of a page leads past the navigation: here, to where people type.
const leadHere = () => {
  const link = document.querySelector("[data-testid=stSkipToContent]")
  const words = link?.textContent
  const go = event => {
    event.preventDefault()
    event.stopPropagation()
    box()?.focus()
  }
  if (link) link.textContent = "Skip to the question"
  link?.addEventListener("click", go, true)
  return () => {
    if (link) link.textContent = words
    link?.removeEventListener("click", go, true)
  }
}

const seen = new WeakSet()

export default function ({ data }) {
  let looks = 0
  const meet = area => {
    follow(area)
    if (area.disabled)
      seen.delete(area) // it loses the focus while an answer is written
    else if (!seen.has(area)) {
      seen.add(area)
      takeFocus(area)
    }
  }
  const look = () => {
    const area = box()
    if (area) meet(area)
    if ((!area || area.disabled) && looks++ < 40) setTimeout(look, 50)
    if (area && data?.edit) area.focus()
  }
  look()
  // A box that is made anew, as after an answer, has to be followed from its first letter on.
  const following = setInterval(() => box() && meet(box()), EVERY)
  const inner = document.querySelector("[data-testid=stBottomBlockContainer]")
  const low = window.matchMedia(LOW)
  const fit = () => {
    if (inner) inner.style.paddingBlock = low.matches ? "0.4rem" : "0.9rem 1.4rem"
  }
  fit()
  low.addEventListener("change", fit)
  const leave = leadHere()
  const rooms = new ResizeObserver(fitRoom)
  for (const name of ["stMain", "stMainBlockContainer"]) {
    const node = document.querySelector(`[data-testid=${name}]`)
    if (node) rooms.observe(node)
  }
  return () => {
    clearInterval(following)
    low.removeEventListener("change", fit)
    rooms.disconnect()
    leave()
  }
}
