import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { itemChangeShape } from '../../../../src/http/shapes/items/item-history.ts'
import type { WirePage } from '../../../../src/http/shapes/page.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'
import { ApiError } from '../../api/call.ts'
import { partsOf } from '../../elements/lists/page-parts.ts'
import { Action, announce, button, PageElement } from '../../elements/page.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { call, groupPath, post } from '../../session/session.ts'
import { formatTrail } from '../../texts/formats.ts'
import { ofContentHistory as t } from '../../texts/rooms.ts'
import { changedItems, ItemReading } from '../changed-items.ts'

type ItemChange = ValueOf<typeof itemChangeShape>
type AddedAndRemoved = NonNullable<ItemChange['change']['tags']>
type ChangePage = WirePage<'history', ItemChange>

/** Changes of a page (chosen). */
const num = 10

/** Changes of an item, the last first, each with a button to undo it. */
class ItemHistory extends PageElement {
  @property() item!: string
  @state() start = 1

  readonly #history = new ItemReading(this, {
    args: () => [this.item, this.start] as const,
    task: async ([item, start], { signal }) => {
      const path = `/content/items/${encodeURIComponent(item)}/history`
      const page = await call<ChangePage>(path, { start, num }, { signal })
      await this.#nameGroups(page, signal)
      return page
    },
  })
  /** Titles of groups by their ids; undefined for those that the person does not see. */
  readonly #titles = new Map<string, string | undefined>()
  readonly #undoing = new Action(this)
  override render() {
    return html`<div class="stack">
      <h2>${t('history')}</h2>
      <cartulary-problem .error=${this.#undoing.error}></cartulary-problem>
      ${this.#history.showLatest((page) => this.#renderPage(page))}
    </div>`
  }

  /** Reads the titles of the groups that a page names. */
  async #nameGroups({ history }: ChangePage, signal: AbortSignal): Promise<void> {
    const named = history.flatMap(({ change: { groups, groupCategories = [] } }) => [
      ...(groups ? [...groups.added, ...groups.removed] : []),
      ...groupCategories.map(({ groupId }) => groupId),
    ])
    const unknown = [...new Set(named)].filter((id) => !this.#titles.has(id))
    await Promise.all(
      unknown.map(async (id) => {
        try {
          const path = groupPath(id)
          this.#titles.set(id, (await call<{ readonly title: string }>(path, {}, { signal })).title)
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          this.#titles.set(id, undefined)
        }
      }),
    )
  }

  #renderPage(page: ChangePage) {
    if (page.total === 0) return html`<p class="quiet">${t('noHistory')}</p>`
    const { before, after } = partsOf(page, num)
    const step = (start: number | undefined, text: string) =>
      start === undefined ? nothing : button(text, { size: 's', onClick: () => (this.start = start) })
    return html`<ul class="entries" role="list">${page.history.map((change) => this.#renderChange(change))}</ul>
      ${before || after ? html`<div class="row">${step(before, t('newer'))}${step(after, t('older'))}</div>` : nothing}`
  }

  #renderChange(entry: ItemChange) {
    const { actor, created, isRevertible, revertedAt } = entry
    return html`<li>
      <div>
        <div class="quiet"><cartulary-moment .value=${created}></cartulary-moment>${
          actor === null ? nothing : html` · <a href=${hrefTo('person', { username: actor })}><bdi>${actor}</bdi></a>`
        }</div>
        ${this.#describe(entry).map((sentence) => html`<div>${sentence}</div>`)}
        ${revertedAt === null ? nothing : html`<div class="quiet">${t('isUndone')}</div>`}
      </div>
      ${isRevertible ? button(t('undo'), { icon: 'undo', size: 's', disabled: this.#undoing.isRunning, onClick: () => this.#undo(entry) }) : nothing}
    </li>`
  }

  /** Sentences for the members of a change. */
  #describe({ change }: ItemChange): readonly string[] {
    const { categories, groupCategories = [], access, groups, tags, owner } = change
    const trails = (paths: readonly string[]) => paths.map((path) => formatTrail(path))
    const nameOf = (id: string) => this.#titles.get(id) ?? t('someGroup')
    const pair = (
      { added, removed }: AddedAndRemoved,
      come: 'categoryAdded' | 'tagAdded' | 'groupAdded',
      go: 'categoryRemoved' | 'tagRemoved' | 'groupRemoved',
      names: (values: readonly string[]) => readonly string[],
    ) => [...names(added).map((name) => t(come, { name })), ...names(removed).map((name) => t(go, { name }))]
    const found = [
      ...(categories ? pair(categories, 'categoryAdded', 'categoryRemoved', trails) : []),
      ...groupCategories.flatMap(({ groupId, added, removed }) => [
        ...trails(added).map((name) => t('groupCategoryAdded', { name, group: nameOf(groupId) })),
        ...trails(removed).map((name) => t('groupCategoryRemoved', { name, group: nameOf(groupId) })),
      ]),
      ...(access ? [t(`access_${access.to}`)] : []),
      ...(groups ? pair(groups, 'groupAdded', 'groupRemoved', (ids) => ids.map(nameOf)) : []),
      ...(tags ? pair(tags, 'tagAdded', 'tagRemoved', (names) => names) : []),
      ...(owner ? [t('ownerChanged', { from: owner.from ?? t('deletedUser'), to: owner.to ?? t('deletedUser') })] : []),
    ]
    return found.length > 0 ? found : [t('otherChange')]
  }

  #undo({ id }: ItemChange): void {
    void this.#undoing.run(async () => {
      const { results } = await post<{
        readonly results: readonly { readonly error?: { readonly code: number; readonly message: string } }[]
      }>(`/portals/self/history/${encodeURIComponent(id)}/revert`, { itemId: this.item })
      const refusal = results.find(({ error }) => error)?.error
      if (refusal) throw new ApiError(refusal, undefined)
      announce(t('isUndone'))
      changedItems.emit()
    })
  }
}

customElements.define('cartulary-item-history', ItemHistory)
