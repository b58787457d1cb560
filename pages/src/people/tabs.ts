import { html, nothing } from 'lit'
import { hrefTo } from '../navigation/navigation.ts'
import type { PathName } from '../navigation/paths.ts'
import { mayOpen } from '../session/may-open.ts'
import { ofPeople as t } from '../texts/rooms.ts'

/** Screens about people that the caller may use, as links at the top of each of them. */
export function renderPeopleTabs(present: PathName) {
  const tabs = (
    [
      ['people', t('people')],
      ['roles', t('roles')],
      ['requests', t('requests')],
      ['apps', t('apps')],
      ['permissionCheck', t('check')],
    ] as const
  ).filter(([name]) => mayOpen(name))
  if (tabs.length < 2) return nothing
  return html`<nav class="no-print" aria-label=${t('sections')}>
    <ul role="list" class="tabs">
      ${tabs.map(([name, text]) => html`<li><a href=${hrefTo(name)} aria-current=${name === present ? 'page' : nothing}>${text}</a></li>`)}
    </ul>
  </nav>`
}
