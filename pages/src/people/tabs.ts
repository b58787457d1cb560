import '../forms/section-tabs.ts'
import { html, nothing } from 'lit'
import type { SectionTab } from '../forms/section-tabs.ts'
import { hrefTo } from '../navigation/navigation.ts'
import type { PathName } from '../navigation/paths.ts'
import { mayOpen } from '../session/may-open.ts'
import { ofPeople as t } from '../texts/rooms.ts'

/** Screens about people that the caller may use, as links at the top of each of them. */
export function renderPeopleTabs(present: PathName) {
  const tab = (name: PathName, text: string): SectionTab => ({ href: hrefTo(name), text, isCurrent: name === present })
  const tabs = (
    [
      ['people', t('people')],
      ['roles', t('roles')],
      ['requests', t('requests')],
      ['apps', t('apps')],
      ['permissionCheck', t('check')],
    ] as const
  ).flatMap(([name, text]) => (mayOpen(name) ? [tab(name, text)] : []))
  if (tabs.length < 2) return nothing
  return html`<cartulary-section-tabs label=${t('sections')} .tabs=${tabs}></cartulary-section-tabs>`
}
