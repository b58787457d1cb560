import type { Application } from './application.ts'

/** What has the focus, through all shadow roots: its words, which are its own or those of its label, and whether it is marked. */
const focusedNow = `(() => {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  const root = focused?.getRootNode()
  const named = focused?.labels?.[0] ?? (root instanceof ShadowRoot && root.host.localName === 'wa-button' ? root.host : focused)
  const { outlineStyle, outlineWidth } = focused ? getComputedStyle(focused) : {}
  // A shadow that is always there marks nothing.
  const isMarkedByShadow = () => {
    const marked = getComputedStyle(focused).boxShadow
    focused.blur()
    const unmarked = getComputedStyle(focused).boxShadow
    focused.focus()
    return marked !== unmarked
  }
  return {
    words: named?.textContent?.replace(/\\s+/g, ' ').trim() || focused?.getAttribute('aria-label') || '',
    // What the page itself has given the focus, as a heading, is no stop of the keyboard.
    isSeen: focused === document.body || focused.tabIndex < 0 || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || isMarkedByShadow(),
  }
})()`

/** Frames in which what has got the focus may still be drawn anew. */
const mostFrames = 60

/** The words of what has the focus. */
async function findSeen(page: Application['page']): Promise<string> {
  for (let frame = 0; ; frame += 1) {
    const { words, isSeen } = await page.evaluate<{ readonly words: string; readonly isSeen: boolean }>(focusedNow)
    if (isSeen) return words
    if (frame === mostFrames) throw new Error(`The focus is not seen: ${words}`)
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
}

/** Presses Tab until what begins with these words has the focus; all that has it on the way has to be marked. */
export async function tabToName({ page }: Application, wanted: string): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press('Tab')
    const words = await findSeen(page)
    if (words.startsWith(wanted)) return
  }
  throw new Error(`${wanted} is not reached by Tab.`)
}
