import { html, nothing } from 'lit'
import { base } from '../navigation/navigation.ts'
import type { PathName } from '../navigation/paths.ts'
import { ofHelp as t } from '../texts/rooms.ts'
import { helpOfScreens } from './help-of-screens.ts'

/** Renders one sentence about a screen, and a link to the documentation, in a tab of its own. */
export function renderHelp(screen: PathName, className: string) {
  const help = helpOfScreens[screen]
  if (!help) return nothing
  const [sentence, address] = help
  return html`<aside class=${className} aria-label=${t('help')}>
    <p>${t(sentence)}</p>
    <a href=${new URL(address, base).href} target="_blank" hreflang="en">${t('more')}</a>
  </aside>`
}
