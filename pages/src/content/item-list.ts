import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { WireItem } from '../../../src/http/shapes/items/item.ts'
import { tick } from '../elements/fields.ts'
import { rangeOf } from '../elements/lists/page-parts.ts'
import { PageElement } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { formatTrail } from '../texts/formats.ts'
import { ofContent as t } from '../texts/rooms.ts'
import { iconOfType } from './item-types.ts'

/** Fields of an item that the list needs. */
export type ListedItem = Pick<
  WireItem,
  'id' | 'title' | 'type' | 'owner' | 'access' | 'modified' | 'snippet' | 'tags' | 'categories' | 'isOrgItem'
> & { readonly groupCategories?: readonly string[] }

/** A page of items, each with a box to choose it; with Shift a range. Emits `choose` with the chosen ones. */
class ItemList extends PageElement {
  static override styles = css`
    li {
      display: grid;
      grid-template-columns: 1.5rem minmax(0, 1fr);
      gap: 0 0.75rem;
      padding-block: 0.375rem;
      border-bottom: 1px solid var(--wa-color-surface-border);
    }
    li .row {
      gap: 0 1rem;
      align-items: baseline;
    }
    .row > * {
      min-width: 0;
    }
    .paths,
    .facts {
      font-size: 0.875rem;
    }
    /* As far as there is room: the page of the item has all of it. */
    .snippet {
      flex: 1 1 12rem;
    }
    @media (min-width: 40rem) {
      .snippet {
        overflow: hidden;
        white-space: nowrap;
        text-overflow: ellipsis;
      }
    }
  `

  @property({ attribute: false }) items!: readonly ListedItem[]
  @property({ attribute: false }) chosen!: ReadonlyMap<string, ListedItem>
  /** Whether the categories are those of a group. */
  @property({ type: Boolean }) ofGroup = false
  /** Paths that the schema has, where those that it lost are marked. */
  @property({ attribute: false }) known: ReadonlySet<string> | undefined

  /** Id of the row where a range begins. */
  #last: string | undefined

  override render() {
    const areAllChosen = this.items.every(({ id }) => this.chosen.has(id))
    return html`<div class="row">
        ${tick(t('chooseAll'), areAllChosen, { onChange: (ticked) => this.#change(this.items, ticked) })}
        <span class="end"><slot></slot></span>
      </div>
      <ul role="list">${this.items.map((item) => this.#renderOne(item))}</ul>`
  }

  #renderOne(item: ListedItem) {
    const { id, title, type, owner, access, modified, snippet } = item
    const known = this.ofGroup || item.isOrgItem ? this.known : undefined
    const paths = (this.ofGroup ? item.groupCategories : item.categories) ?? []
    return html`<li>
      <input type="checkbox" aria-label=${t('choose', { title })} .checked=${this.chosen.has(id)}
        @click=${(event: MouseEvent) => this.#choose(event, item)}>
      <div>
        <div class="row">
          <a href=${hrefTo('item', { item: id })}>${title}</a>
          <span class="paths quiet">${
            paths.length === 0
              ? t('noCategory')
              : paths.map(
                  (path, at) =>
                    html`${at > 0 ? ' · ' : nothing}<bdi>${formatTrail(path)}</bdi>${known?.has(path) === false ? html` <wa-tag size="s" variant="warning">${t('unrecognized')}</wa-tag>` : nothing}`,
                )
          }</span>
        </div>
        <div class="row facts quiet">
          <span><wa-icon name=${iconOfType(type)}></wa-icon> <bdi>${type}</bdi></span><span>${owner}</span><span>${t(`access_${access}`)}</span>
          <cartulary-moment .value=${modified}></cartulary-moment>
          ${snippet ? html`<span class="snippet">${snippet}</span>` : nothing}
        </div>
      </div>
    </li>`
  }

  #choose(event: MouseEvent, item: ListedItem): void {
    const isChosen = (event.target as HTMLInputElement).checked
    const ids =
      event.shiftKey && this.#last
        ? rangeOf(
            this.items.map(({ id }) => id),
            this.#last,
            item.id,
          )
        : [item.id]
    this.#last = item.id
    this.#change(
      this.items.filter(({ id }) => ids.includes(id)),
      isChosen,
    )
  }

  #change(items: readonly ListedItem[], isChosen: boolean): void {
    const chosen = new Map(this.chosen)
    for (const item of items) {
      if (isChosen) chosen.set(item.id, item)
      else chosen.delete(item.id)
    }
    this.dispatchEvent(new CustomEvent('choose', { detail: chosen }))
  }
}

customElements.define('cartulary-item-list', ItemList)
