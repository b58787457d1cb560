import '../forms/secret.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { countFound } from '../content/content-search.ts'
import { readState } from '../content/state.ts'
import { PageElement } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import { may } from '../session/session.ts'
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

/** Renders usual next steps once a version is published. */
export function renderWhatNext(owner: SchemaOwner, version: number) {
  return html`<cartulary-what-next .owner=${owner} .version=${version}></cartulary-what-next>`
}

/** Links to usual next steps: adding items, their categories, sharing them; and an address for others. */
class WhatNext extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) version!: number

  /** Items of the owner, and those without a category. */
  readonly #items = new Task(this, {
    args: () => [this.#shown] as const,
    task: ([shown], { signal }) => {
      const state = readState(new URLSearchParams(shown))
      return Promise.all([countFound(state, signal), countFound({ ...state, special: 'uncategorized' }, signal)])
    },
  })

  /** Query of the content that gets these categories. */
  get #shown(): Readonly<Record<string, string>> {
    return this.owner.kind === 'group' ? { group: this.owner.id } : { whose: 'organization' }
  }

  override render() {
    const shown = this.#shown
    const [items, uncategorized] = this.#items.value ?? []
    const { href } = new URL(
      hrefTo(...screenOf(this.owner, 'Version', { version: String(this.version) })),
      location.href,
    )
    const link = (href: string, words: string) => html`<li><a href=${href}>${words}</a></li>`
    return html`<section class="panel stack" aria-labelledby="what-next">
      <h2 id="what-next">${t('whatNext')}</h2>
      <ul>
        ${items === 0 && may('addItem') ? link(hrefTo('newItem'), t('nextAddItems')) : nothing}
        ${items === 0 && may('inviteUsers') ? link(hrefTo('newPeople'), t('nextAddPeople')) : nothing}
        ${uncategorized ? link(hrefTo('content', {}, { ...shown, show: 'uncategorized' }), t('nextCategorize', { count: uncategorized })) : nothing}
        ${items ? link(hrefTo('categoriesBySpreadsheet', {}, { group: shown['group'] }), t('nextSpreadsheet')) : nothing}
        ${link(hrefTo('content', {}, { whose: 'mine' }), t(shown['group'] ? 'nextShareWithGroup' : 'nextShare'))}
      </ul>
      <cartulary-secret label=${t('nextTell')} value=${href}></cartulary-secret>
    </section>`
  }
}

customElements.define('cartulary-what-next', WhatNext)
