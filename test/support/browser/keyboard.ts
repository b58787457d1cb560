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
    isSeen: focused === document.body || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || isMarkedByShadow(),
  }
})()`

/** Presses Tab until what begins with these words has the focus; all that has it on the way has to be marked. */
export async function tabToName({ page }: Application, words: string): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<{ readonly words: string; readonly isSeen: boolean }>(focusedNow)
    if (!focused.isSeen) throw new Error(`The focus is not seen: ${focused.words}`)
    if (focused.words.startsWith(words)) return
  }
  throw new Error(`${words} is not reached by Tab.`)
}
