/** Says something to those who do not see the change: moved, saved, found. The frame has the live region. */
export function announce(text: string): void {
  announcements.dispatchEvent(new CustomEvent('announce', { detail: text }))
}

/** Emits `announce`, with the text as its detail. */
export const announcements = new EventTarget()
