// On a phone the side bar covers the page. Streamlit leaves it open after a choice; this closes it.

const NARROW = 768
const CHOICES =
  '[data-testid="stPageLink"], [class*="st-key-conversation-"], .st-key-new-conversation'

export default function ({ parentElement }) {
  const bar = parentElement.host?.closest('[data-testid="stSidebar"]')
  if (!bar || bar.dataset.closes) return
  bar.dataset.closes = "after a choice"
  bar.addEventListener("click", event => {
    if (window.innerWidth > NARROW || !event.target.closest(CHOICES)) return
    const close = bar.querySelector('[data-testid="stSidebarCollapseButton"] button')
    setTimeout(() => close?.click(), 100)
  })
}
