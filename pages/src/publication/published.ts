import '../forms/secret.ts'
import { html, nothing } from 'lit'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import { ofPublication as t } from '../texts/rooms.ts'

/** Version that was created, and the previous one. */
export interface Published {
  readonly version: number
  readonly before: number
  readonly moves: number
  /** Whether the draft is kept, as another tab has edited it meanwhile. */
  readonly keepsDraft: boolean
}

/** Renders the confirmation, with links to the version and to undoing it, and what is usually done next. */
export function renderPublished(owner: SchemaOwner, { version, before, moves, keepsDraft }: Published) {
  const versionHref = (number: number, query = {}) =>
    hrefTo(...screenOf(owner, 'Version', { version: String(number) }), query)
  return html`<div class="stack"><wa-callout variant="success"><wa-icon slot="icon" name="check"></wa-icon>
    <div class="stack">
      <strong id="published" tabindex="-1">${t('published', { version })}</strong>
      <p>${t(keepsDraft ? 'publishedOther' : 'publishedText')}</p>
      <div class="row">
        <a href=${versionHref(version)}>${t('toVersion', { version })}</a>
        <a href=${hrefTo(...screenOf(owner, 'History'))}>${t('toHistory')}</a>
        ${before > 0 ? html`<a href=${versionHref(before, { restore: 'yes' })}>${t(moves > 0 ? 'undoWithMoves' : 'undoVersion', { version: before })}</a>` : nothing}
      </div>
    </div>
  </wa-callout>
  ${renderWhatNext(owner, version)}</div>`
}

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
