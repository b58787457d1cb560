import '../forms/section-tabs.ts'
import { html } from 'lit'
import type { SectionTab } from '../forms/section-tabs.ts'
import { hrefTo } from '../navigation/navigation.ts'
import type { PathName } from '../navigation/paths.ts'
import { may } from '../session/session.ts'
import { t } from './texts.ts'

/** Screens about people that the caller may use, as links at the top of each of them. */
export function renderPeopleTabs(present: PathName) {
  const tab = (name: PathName, text: string): SectionTab => ({ href: hrefTo(name), text, isCurrent: name === present })
  const tabs = [
    ...(may('searchPortalUsers') ? [tab('people', t('people'))] : []),
    tab('roles', t('roles')),
    tab('requests', t('requests')),
    ...(may('listApps') ? [tab('apps', t('apps'))] : []),
    tab('permissionCheck', t('check')),
    tab('organizationSettings', t('organization')),
  ]
  return html`<cartulary-section-tabs label=${t('sections')} .tabs=${tabs}></cartulary-section-tabs>`
}
