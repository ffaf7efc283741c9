// On a phone the side bar covers the page. Streamlit leaves it open after a choice; this closes it.

const NARROW = 768
const CHOICES =
  '[data-testid="stPageLink"], [class*="st-key-conversation-"], .st-key-new-conversation'

// Streamlit names its box for files, and says by its role that it is nothing to name.
const mendBoxes = () => {
  for (const box of document.querySelectorAll("[data-testid=stFileUploaderDropzone][role]")) {
    box.removeAttribute("role")
  }
}

export default function ({ parentElement }) {
  const bar = parentElement.closest('[data-testid="stSidebar"]')
  if (!bar || bar.dataset.closes) return
  mendBoxes()
  new MutationObserver(mendBoxes).observe(document.body, { childList: true, subtree: true })
  bar.dataset.closes = "after a choice"
  bar.addEventListener("click", event => {
    if (window.innerWidth > NARROW || !event.target.closest(CHOICES)) return
    const close = bar.querySelector('[data-testid="stSidebarCollapseButton"] button')
    setTimeout(() => close?.click(), 100)
  })
}
