import type { Application } from './application.ts'
import { pollValue } from './value.ts'

/** The focused element, through all shadow roots: its words, its own or those of its label, and whether it is marked. */
const readFocused = `(() => {
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
    // An element focused by the page itself, as a heading, is no stop of the keyboard.
    isSeen: focused === document.body || focused.tabIndex < 0 || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || isMarkedByShadow(),
  }
})()`

interface Focused {
  readonly words: string
  readonly isSeen: boolean
}

/** This timeout ends only walks that hang. */
const patience = 300_000

/**
 * Presses Tab until what begins with these words has the focus, which may come to the page while that goes on; all that has the
 * focus on the way has to be marked.
 */
async function tabToName({ page }: Application, wanted: string): Promise<void> {
  for (const latest = performance.now() + patience; performance.now() < latest; ) {
    await page.keyboard.press('Tab')
    // The focused element may still be redrawn.
    const { words } = await pollValue(
      () => page.evaluate<Focused>(readFocused),
      ({ isSeen }) => isSeen,
    )
    if (words.startsWith(wanted)) return
  }
  throw new Error(`${wanted} is not reached by Tab.`)
}

/** Keyboard actions of a person: tab to a control by the beginning of its name, press Enter on it, type into it. */
export function keyboardOf(application: Application) {
  const { keyboard } = application.page
  const tabTo = (name: string) => tabToName(application, name)
  const enter = async (name: string): Promise<void> => {
    await tabTo(name)
    await keyboard.press('Enter')
  }
  return {
    tabTo,
    enter,
    /** Presses Enter on what leads to a screen or a dialog, which has its name as its heading. */
    async open(name: string): Promise<void> {
      await enter(name)
      await application.heading(name).waitFor()
    },
    async type(label: string, words: string): Promise<void> {
      await tabTo(label)
      await keyboard.press('ControlOrMeta+A')
      await keyboard.type(words)
    },
  }
}
