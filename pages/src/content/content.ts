import './category-tree.ts'
import './categorise.ts'
import './content-filters.ts'
import './item-list.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { announce } from '../elements/announce.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { linkRowStyle } from '../elements/link-row-style.ts'
import { renderPager } from '../elements/lists/pager.ts'
import { Reading } from '../elements/reading.ts'
import { Screen } from '../elements/screen.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { schemaPath } from '../owners/owners.ts'
import { call, may, signedIn } from '../session/session.ts'
import { formatNumber } from '../texts/formats.ts'
import { countItems, findItems, type SearchResult } from './content-search.ts'
import type { ListedItem } from './item-list.ts'
import { type ContentState, changeState, queryOf, readState, staleDays } from './state.ts'
import { t } from './texts.ts'

type GroupOutline = Pick<WireGroup, 'id' | 'title'>

/** Items by category: the tree with counts beside the search results; several items can be categorised together. */
class Content extends Screen {
  static override styles = [
    fieldStyle,
    linkRowStyle,
    css`
      .columns {
        display: grid;
        gap: 1.5rem;
      }
      .columns > * {
        min-width: 0;
      }
      .entry {
        gap: 0.5rem;
        justify-content: space-between;
        padding: 0.25rem 0.5rem;
      }
      .chosen {
        position: sticky;
        top: 0;
        z-index: 2;
      }
      @media (min-width: 56rem) {
        .columns {
          grid-template-columns: 17rem minmax(0, 1fr);
        }
      }
    `,
  ]

  /** Chosen items by id, also those of other pages. */
  @state() chosen: ReadonlyMap<string, ListedItem> = new Map()
  @state() isCategorising = false

  readonly #groups = new Task(this, {
    args: () => [signedIn()?.username],
    task: async (_, { signal }) => {
      const self = await call<{ readonly groups: readonly GroupOutline[] }>('/community/self', {}, { signal })
      return self.groups
    },
  })

  readonly #schema = new Reading(this, {
    args: () => [this.#state.group] as const,
    task: ([group], { signal }) =>
      call<CategorySchema>(schemaPath(group ? { kind: 'group', id: group } : { kind: 'organization' }), {}, { signal }),
  })

  readonly #found = new Reading(this, {
    args: () => [this.query.toString()] as const,
    task: ([text], { signal }) => findItems(readState(new URLSearchParams(text)), signal),
  })

  readonly #overview = new Task(this, {
    args: () =>
      [JSON.stringify({ ...this.#state, category: undefined, special: undefined, sort: '', start: 1 })] as const,
    task: ([text], { signal }) => countItems(JSON.parse(text) as ContentState, signal),
  })

  #group: string | undefined

  protected override willUpdate(): void {
    // Items chosen under one schema have no categories of another, so the choice is cleared.
    const { group } = this.#state
    if (group !== this.#group) {
      this.#group = group
      this.chosen = new Map()
      this.isCategorising = false
    }
  }

  get #state(): ContentState {
    return readState(this.query)
  }

  override render() {
    return html`<cartulary-heading text=${t('content')} note=${t('contentText')}>
        ${
          may('addItem')
            ? html`<wa-button variant="brand" href=${hrefTo('newItem')}><wa-icon slot="start" name="plus"></wa-icon>${t('newItem')}</wa-button>`
            : nothing
        }
      </cartulary-heading>
      <div class="columns">
        <nav class="stack print" aria-label=${t('categories')}>${this.#renderTree()}</nav>
        <div class="stack">
          <cartulary-content-filters
            .state=${this.#state} @narrowed=${({ detail }: CustomEvent<Partial<ContentState>>) => this.#go(detail)}
          ></cartulary-content-filters>
          ${this.#renderChosen()}
          ${this.#found.showLatest((found) => this.#renderResults(found))}
        </div>
      </div>`
  }

  #renderTree() {
    const state = this.#state
    const overview = this.#overview.value
    const groups = this.#groups.value ?? []
    return html`<label class="field">
        <span>${t('schemaOf')}</span>
        <select @change=${(event: Event) => this.#go({ group: (event.target as HTMLSelectElement).value || undefined, category: undefined, special: undefined })}>
          <option value="" .selected=${!state.group}>${t('organization')}</option>
          ${groups.map(({ id, title }) => html`<option value=${id} dir="auto" .selected=${id === state.group}>${title}</option>`)}
        </select>
      </label>
      <div>
        ${this.#renderEntry(t('allItems'), overview?.total, {}, !state.category && !state.special)}
        ${this.#renderEntry(t('uncategorized'), overview?.uncategorized, { special: 'uncategorized' }, state.special === 'uncategorized')}
        ${this.#renderEntry(t('stale', { days: staleDays }), overview?.stale, { special: 'stale' }, state.special === 'stale')}
      </div>
      ${this.#schema.showLatest(({ categorySchema }) =>
        categorySchema.length === 0
          ? html`<p class="quiet">${t('noSchema')}</p>`
          : html`<cartulary-category-tree
              .trees=${categorySchema} .countOf=${overview?.countOf} .chosen=${state.category}
              .linkTo=${(path: string) => this.#hrefTo({ category: path, special: undefined })}
            ></cartulary-category-tree>`,
      )}`
  }

  #renderEntry(label: string, count: number | undefined, change: Partial<ContentState>, isPresent: boolean) {
    const href = this.#hrefTo({ category: undefined, special: undefined, ...change })
    return html`<a class="entry" href=${href} aria-current=${isPresent ? 'true' : nothing}>
      <span>${label}</span>${count === undefined ? nothing : html`<span aria-hidden="true">${formatNumber(count)}</span><span class="visually-hidden">${t('items', { count })}</span>`}
    </a>`
  }

  #renderChosen() {
    if (this.chosen.size === 0) return nothing
    const { group } = this.#state
    const schema = this.#schema.value
    if (this.isCategorising && schema) {
      return html`<cartulary-categorise
        .items=${[...this.chosen.values()]} .schema=${schema} .group=${group} @changed=${this.#reload} @close=${this.#endCategorising}
      ></cartulary-categorise>`
    }
    return html`<div class="panel row chosen" role="status">
      <span>${t('chosen', { count: this.chosen.size })}</span>
      <wa-button id="categorise" size="s" variant="brand" ?disabled=${!schema?.categorySchema.length} @click=${() => {
        this.isCategorising = true
      }}><wa-icon slot="start" name="tag"></wa-icon>${t('categorise')}</wa-button>
      <wa-button size="s" appearance="plain" @click=${() => {
        this.chosen = new Map()
      }}>${t('chooseNone')}</wa-button>
    </div>`
  }

  #renderResults({ total, nextStart, results }: SearchResult) {
    const { start, group } = this.#state
    if (results.length === 0) {
      return html`<cartulary-empty icon="search" heading=${t('nothingFound')} text=${t('nothingFoundText')}>
        <a href=${hrefTo('content')}>${t('allItems')}</a>
      </cartulary-empty>`
    }
    return html`<p class="quiet" role="status">${t('shown', { first: start, last: start + results.length - 1, total })}</p>
      <cartulary-item-list
        .items=${results} .chosen=${this.chosen} ?ofGroup=${group !== undefined}
        @choose=${(event: CustomEvent<ReadonlyMap<string, ListedItem>>) => {
          this.chosen = event.detail
        }}
      ></cartulary-item-list>
      ${renderPager({ total, start, nextStart }, { withoutRange: true })}`
  }

  #hrefTo(change: Partial<ContentState>): string {
    return hrefTo('content', {}, queryOf(changeState(this.#state, change)))
  }

  #go(change: Partial<ContentState>): void {
    goTo(this.#hrefTo(change))
  }

  async #reload(): Promise<void> {
    await Promise.all([this.#found.run(), this.#overview.run()])
  }

  async #endCategorising(): Promise<void> {
    this.isCategorising = false
    this.chosen = new Map()
    announce(t('chooseNone'))
    await this.updateComplete
    this.renderRoot.querySelector<HTMLElement>('cartulary-heading')?.focus()
  }
}

customElements.define('cartulary-content', Content)
