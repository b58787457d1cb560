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
  const links = [
    [versionHref(version), t('toVersion', { version })],
    [hrefTo(...screenOf(owner, 'History')), t('toHistory')],
  ] as const
  const undo = t(moves > 0 ? 'undoWithMoves' : 'undoVersion', { version: before })
  return html`<div class="stack">
    ${renderDone(
      t('published', { version }),
      before > 0 ? [...links, [versionHref(before, { restore: 'yes' }), undo]] : links,
      t(keepsDraft ? 'publishedOther' : 'publishedText'),
    )}
    ${renderWhatNext(owner, version)}
  </div>`
}

/** Renders that a change was made, in words that take the focus, and links to what may follow. */
export function renderDone(words: string, links: readonly (readonly [href: string, words: string])[], more = '') {
  return html`<wa-callout variant="success"><wa-icon slot="icon" name="check"></wa-icon>
    <div class="stack">
      <strong id="done" tabindex="-1">${words}</strong>
      ${more ? html`<p>${more}</p>` : nothing}
      <div class="row">${links.map(([href, text]) => html`<a href=${href}>${text}</a>`)}</div>
    </div>
  </wa-callout>`
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
