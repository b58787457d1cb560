import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { button, PageElement, Reading } from '../../elements/page.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { codeOf, said } from '../../sentences/said.ts'
import type { JobFailure } from '../../session/job.ts'
import { call } from '../../session/session.ts'
import { ofContentBulk as t } from '../../texts/rooms.ts'

/** Items of a reason that are named (chosen); the others are counted. */
const named = 10

type Titles = ReadonlyMap<string, string>

/**
 * Why items were refused: each reason once, with its number and its items. Emits `categorize` with the titles of items that are
 * refused for want of a category, where `canCategorize` is set.
 */
class Failures extends PageElement {
  @property({ attribute: false }) failures: readonly JobFailure[] = []
  /** Titles that are known, by ids. */
  @property({ attribute: false }) titles: Titles = new Map()
  /** Sentence above them; by default how many were refused. */
  @property() lead = ''
  @property({ type: Boolean, attribute: 'can-categorize' }) canCategorize = false

  readonly #read = new Reading(this, {
    args: () => [this.failures, this.titles] as const,
    task: async ([failures, titles], { signal }): Promise<Titles> => {
      const unknown = groupReasons(failures).flatMap((ids) => ids.slice(0, named).filter((id) => !titles.has(id)))
      if (unknown.length === 0) return new Map()
      const q = unknown.map((id) => `id:${id}`).join(' OR ')
      type Found = { readonly results: readonly { readonly id: string; readonly title: string }[] }
      const { results } = await call<Found>('/search', { q, num: 100 }, { signal })
      return new Map(results.map(({ id, title }) => [id, title]))
    },
  })

  override render() {
    const { failures } = this
    if (failures.length === 0) return nothing
    return html`<div class="stack">
      <p><strong>${this.lead || t('refused', { count: failures.length })}</strong></p>
      <ul class="stack">${groupReasons(failures).map((ids) => this.#renderReason(ids))}</ul>
    </div>`
  }

  #renderReason(ids: readonly string[]) {
    const { message } = this.failures.find(({ itemId = '' }) => itemId === ids[0])!
    const items = ids.filter((id) => id !== '')
    return html`<li>
      ${said(message)} <span class="quiet">${t('ofItems', { count: items.length })}</span>
      <div class="row">
        ${items.slice(0, named).map((id) => html`<a href=${hrefTo('item', { item: id })}><bdi>${this.#titleOf(id)}</bdi></a>`)}
        ${items.length > named ? html`<span class="quiet">${t('moreItems', { count: items.length - named })}</span>` : nothing}
      </div>
      ${
        this.canCategorize && codeOf(message)?.startsWith('policy')
          ? html`<div>${button(t('head_categories', { count: items.length }), { size: 's', onClick: () => this.#categorize(items) })}</div>`
          : nothing
      }
    </li>`
  }

  #titleOf(id: string): string {
    return this.titles.get(id) ?? this.#read.value?.get(id) ?? t('item')
  }

  #categorize(ids: readonly string[]): void {
    const detail = new Map(ids.map((id) => [id, this.#titleOf(id)]))
    this.dispatchEvent(new CustomEvent('categorize', { detail }))
  }
}

/** Ids of items that are refused for the same reason; empty for the job itself. Sentences on one item differ in its id alone. */
function groupReasons(failures: readonly JobFailure[]): readonly (readonly string[])[] {
  const groups = Map.groupBy(failures, ({ itemId, message }) => (itemId ? message.replaceAll(itemId, '') : message))
  return [...groups.values()].map((same) => same.map(({ itemId = '' }) => itemId))
}

customElements.define('cartulary-failures', Failures)
