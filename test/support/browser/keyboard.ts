import type { Application } from './application.ts'

/** The words of what has the focus, through all shadow roots: its own text, or that of its label. */
const focusedWords = `(() => {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  const root = focused?.getRootNode()
  const named = focused?.labels?.[0] ?? (root instanceof ShadowRoot && root.host.localName === 'wa-button' ? root.host : focused)
  return named?.textContent?.replace(/\\s+/g, ' ').trim() ?? ''
})()`

/** Presses Tab until what begins with these words has the focus. */
export async function tabToName({ page }: Application, words: string): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<string>(focusedWords)).startsWith(words)) return
  }
  throw new Error(`${words} is not reached by Tab.`)
}
