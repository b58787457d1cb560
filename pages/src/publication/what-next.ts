import '../forms/secret.ts'
import { html } from 'lit'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import { ofPublication as t } from '../texts/rooms.ts'

/** Renders what is usually done once a version is published: its items get categories, are shared, and others learn of it. */
export function renderWhatNext(owner: SchemaOwner, version: number) {
  const group = owner.kind === 'group' ? owner.id : undefined
  const address = new URL(hrefTo(...screenOf(owner, 'Version', { version: String(version) })), window.location.href)
    .href
  return html`<section class="panel stack" aria-labelledby="what-next">
    <h2 id="what-next">${t('whatNext')}</h2>
    <ul>
      <li><a href=${hrefTo('content', {}, { group, show: 'uncategorized' })}>${t('nextCategorize')}</a></li>
      <li><a href=${hrefTo('categoriesBySpreadsheet', {}, { group })}>${t('nextSpreadsheet')}</a></li>
      <li><a href=${hrefTo('content', {}, { whose: 'mine' })}>${t(group === undefined ? 'nextShare' : 'nextShareWithGroup')}</a></li>
    </ul>
    <cartulary-secret label=${t('nextTell')} value=${address}></cartulary-secret>
  </section>`
}
