import { choiceOf } from '../elements/fields.ts'
import { announce, button, Reading, Screen } from '../elements/page.ts'
import { renderBulkBar } from './bulk/bulk-bar.ts'
import './bulk/bulk-panel.ts'
import './bulk/item-runs.ts'
import './item-list.ts'
import '../elements/tree.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import type { Category, CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { renderPager } from '../elements/lists/table.ts'
import type { TreeNode } from '../elements/tree.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { schemaPath } from '../owners/owners.ts'
import { call, may, signedIn } from '../session/session.ts'
import { formatNumber, formatTrail } from '../texts/formats.ts'
import { ofContent as t } from '../texts/rooms.ts'
import type { BulkAction, Target } from './bulk/bulk-change.ts'
import { ItemReading } from './changed-items.ts'
import { renderContentFilters } from './content-filters.ts'
import { countItems, findItems, narrowedBy, type SearchResult } from './content-search.ts'
import type { ListedItem } from './item-list.ts'
import { type ContentState, changeState, queryOf, readState, staleDays } from './state.ts'

type GroupOutline = Pick<WireGroup, 'id' | 'title'>

/** Items by category: the tree with counts beside the search results; several items can be changed together. */
class Content extends Screen {
  static override styles = css`
    :host {
      container-type: inline-size;
    }
    .columns {
      display: grid;
      gap: 1.5rem;
    }
    .columns > * {
      min-width: 0;
    }
    .tree[data-open] {
      padding-block-start: 0.75rem;
    }
    @container (min-width: 44rem) {
      .columns {
        grid-template-columns: 17rem minmax(0, 1fr);
      }
      .columns > :first-child {
        grid-row: span 2;
      }
      .list,
      cartulary-bulk-panel {
        grid-column: 2;
      }
      .fold {
        display: none;
      }
      .tree[data-open] {
        padding: 0;
      }
    }
    /* In a narrow window the first action has words, and the others their icons. */
    @media (max-width: 40rem) {
      .bulk .label {
        position: absolute;
        clip-path: inset(50%);
      }
    }
    /* The form of a change: above the list, or beside it where there is room for a third column. */
    @container (min-width: 80rem) {
      .columns:has(cartulary-bulk-panel) {
        grid-template-columns: 17rem minmax(0, 1fr) 26rem;
      }
      .columns > cartulary-bulk-panel {
        grid-area: 1 / 3;
        position: sticky;
        inset-block-start: 1rem;
        align-self: start;
      }
    }
    @media screen {
      @container (max-width: 43.99rem) {
        .columns {
          gap: 0.75rem;
        }
        .tree:not([data-open]) {
          display: none;
        }
      }
    }
  `

  /** Chosen items by id, also those of other pages. */
  @state() chosen: ReadonlyMap<string, ListedItem> = new Map()
  /** Whether all that the search finds are chosen. */
  @state() areAllChosen = false
  /** Action that the person has begun, and the items that were chosen then. */
  @state() started: { readonly action: BulkAction; readonly target: Target } | undefined

  /** Whether the categories are seen in a narrow window; in a wide one they always are. */
  @state() isTreeOpen = false

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

  readonly #found = new ItemReading(this, {
    args: () => [this.query.toString()] as const,
    task: ([text], { signal }) => findItems(readState(new URLSearchParams(text)), signal),
  })

  readonly #overview = new ItemReading(this, {
    args: () =>
      [JSON.stringify({ ...this.#state, category: undefined, special: undefined, sort: '', start: 1 })] as const,
    task: ([text], { signal }) => countItems(JSON.parse(text) as ContentState, signal),
  })

  #group: string | undefined
  #entry: string | undefined
  /** Address of the search whose results are all chosen, whatever their page. */
  #search = ''

  protected override willUpdate(): void {
    const { group, category, special } = this.#state
    const search = JSON.stringify({ ...this.#state, sort: '', start: 1 })
    // In a narrow window the chosen ones take the place of the categories.
    const entry = special ?? category
    if (entry !== this.#entry) this.isTreeOpen = false
    this.#entry = entry
    // Items chosen under one schema have no categories of another, and all of a search are none of the next: the choice is cleared.
    if (group !== this.#group || (this.areAllChosen && search !== this.#search)) this.#chooseNone()
    this.#group = group
    this.#search = search
  }

  get #state(): ContentState {
    return readState(this.query)
  }

  override render() {
    return html`<cartulary-heading text=${t('content')} note=${t('contentText')}>
        ${this.#renderLinks()}
        ${may('addItem') ? button(t('newItem'), { icon: 'plus', variant: 'brand', href: hrefTo('newItem') }) : nothing}
      </cartulary-heading>
      <div class="columns">
        <div>
          <button class="fold" type="button" aria-expanded=${this.isTreeOpen ? 'true' : 'false'} @click=${this.#foldTree}>
            <wa-icon name="tree"></wa-icon><span>${t('categories')}${this.#renderChosenCategory()}</span>
          </button>
          <nav class="stack print tree links" ?data-open=${this.isTreeOpen} aria-label=${t('categories')}>${this.#renderTree()}</nav>
        </div>
        ${this.#renderAction()}
        <div class="stack list">
          ${renderContentFilters(this.#state, (filters) => this.#go(filters))}
          ${this.#found.showLatest((found) => this.#renderResults(found))}
          <cartulary-item-runs></cartulary-item-runs>
        </div>
      </div>
      ${this.#renderBar()}`
  }

  /** Links to further work with the content, of the organization or of the group whose items are shown. */
  #renderLinks() {
    const state = this.#state
    const { group } = state
    const coverage = group === undefined ? hrefTo('coverage') : hrefTo('groupCoverage', { group })
    return html`${button(t('coverage'), { icon: 'gauge', href: coverage })}
      ${button(t('spreadsheet'), { icon: 'table', href: hrefTo('categoriesBySpreadsheet', {}, queryOf({ ...state, start: 1, sort: 'modified' })) })}`
  }

  readonly #foldTree = () => (this.isTreeOpen = !this.isTreeOpen)

  /** Category or entry whose items are shown, beside the button that opens the categories. */
  #renderChosenCategory() {
    const { category, special } = this.#state
    const words = category
      ? formatTrail(category)
      : special === 'stale'
        ? t('stale', { days: staleDays })
        : special && t(special)
    return words ? html`: <bdi>${words}</bdi>` : nothing
  }

  #renderTree() {
    const state = this.#state
    const overview = this.#overview.value
    const groups = this.#groups.value ?? []
    return html`${choiceOf(
      '',
      t('schemaOf'),
      [['', t('organization')], ...groups.map(({ id, title }) => [id, title] as const)],
      state.group ?? '',
      {
        isLive: true,
        onChange: (group) => this.#go({ group: group || undefined, category: undefined, special: undefined }),
      },
    )}
      <div>
        ${this.#renderEntry(t('allItems'), overview?.total, {}, !state.category && !state.special)}
        ${this.#renderEntry(t('uncategorized'), overview?.uncategorized, { special: 'uncategorized' }, state.special === 'uncategorized')}
        ${this.#renderEntry(t('stale', { days: staleDays }), overview?.stale, { special: 'stale' }, state.special === 'stale')}
      </div>
      ${this.#schema.showLatest(({ categorySchema }) =>
        categorySchema.length === 0
          ? html`<p class="quiet">${t('noSchema')}</p>`
          : html`<cartulary-tree
              .trees=${treesOf(categorySchema)} .chosen=${state.category}
              .line=${({ path, title }: TreeNode) => html`<div class="links">${this.#renderEntry(title, overview?.countOf(path), { category: path, special: undefined }, path === state.category)}</div>`}
            ></cartulary-tree>`,
      )}`
  }

  #renderEntry(label: string, count: number | undefined, change: Partial<ContentState>, isPresent: boolean) {
    const href = this.#hrefTo({ category: undefined, special: undefined, ...change })
    return html`<a class="spread" href=${href} aria-current=${isPresent ? 'true' : nothing}>
      <span>${label}</span>${count === undefined ? nothing : html`<span aria-hidden="true">${formatNumber(count)}</span><span class="visually-hidden">${t('items', { count })}</span>`}
    </a>`
  }

  /** The chosen items; undefined without any. */
  get #target(): Target | undefined {
    const { chosen } = this
    if (this.areAllChosen) {
      const { group } = this.#state
      const narrowed = narrowedBy(this.#state)
      const isNarrowed = group !== undefined || Object.values(narrowed).some((value) => value !== undefined)
      // Everything has to be asked for in so many words.
      const parameters = isNarrowed ? narrowed : { q: '*' }
      return { kind: 'search', total: this.#found.value?.total ?? 0, parameters }
    }
    const titles = new Map([...chosen.values()].map(({ id, title }) => [id, title]))
    return chosen.size > 0 ? { kind: 'items', titles } : undefined
  }

  #renderAction() {
    if (!this.started) return nothing
    return html`<cartulary-bulk-panel
      .target=${this.started.target} .action=${this.started.action} .schema=${this.#schema.value} .group=${this.#state.group} @close=${this.#endAction}
    ></cartulary-bulk-panel>`
  }

  #renderBar() {
    const target = this.#target
    if (!target || this.started) return nothing
    return renderBulkBar(target, {
      found: this.#found.value?.total ?? 0,
      hasSchema: (this.#schema.value?.categorySchema.length ?? 0) > 0,
      act: (action) => (this.started = { action, target }),
      chooseAll: () => (this.areAllChosen = true),
      chooseNone: this.#chooseNone,
    })
  }

  #renderResults({ total, nextStart, results }: SearchResult) {
    const { start, group, special, q, whose, type, tag, owner } = this.#state
    if (results.length === 0 && special === 'uncategorized' && this.#overview.value?.total) {
      return html`<cartulary-empty icon="check" heading=${t('allCategorized')}></cartulary-empty>`
    }
    const isNarrowed = q !== '' || whose !== 'all' || (type ?? tag ?? owner ?? group) !== undefined
    if (results.length === 0 && !isNarrowed && this.#overview.value?.total === 0) {
      return html`<cartulary-empty icon="folder" heading=${t('noItems')} text=${t('noItemsText')}></cartulary-empty>`
    }
    if (results.length === 0) {
      const heading = q === '' ? t('nothingFound') : t('nothingFoundFor', { words: q })
      return html`<cartulary-empty icon="search" heading=${heading} text=${t('nothingFoundText')}>
        ${q === '' ? nothing : html`<a href=${this.#hrefTo({ q: '' })}>${t('clearSearch')}</a> `}
        <a href=${hrefTo('content')}>${t('allItems')}</a>
      </cartulary-empty>`
    }
    return html`<cartulary-item-list
        .items=${results} .chosen=${this.areAllChosen ? new Map(results.map((item) => [item.id, item])) : this.chosen}
        ?ofGroup=${group !== undefined} .known=${this.#schema.render({ complete: (schema) => new Set(listPaths(schema)) })}
        @choose=${(event: CustomEvent<ReadonlyMap<string, ListedItem>>) => {
          this.chosen = event.detail
          this.areAllChosen = false
        }}
      ><span class="quiet" role="status">${t('shown', { first: start, last: start + results.length - 1, total })}</span></cartulary-item-list>
      ${renderPager({ total, start, nextStart }, { withoutRange: true })}`
  }

  #hrefTo(change: Partial<ContentState>): string {
    return hrefTo('content', {}, queryOf(changeState(this.#state, change)))
  }

  #go(change: Partial<ContentState>): void {
    goTo(this.#hrefTo(change))
  }

  readonly #chooseNone = () => {
    this.chosen = new Map()
    this.areAllChosen = false
    this.started = undefined
  }

  async #endAction(): Promise<void> {
    this.#chooseNone()
    announce(t('chooseNone'))
    await this.focusOn('cartulary-heading')
  }
}

function treesOf(categories: readonly Category[], parent = ''): readonly TreeNode[] {
  return categories.map(({ title = '', categories = [] }) => {
    const path = `${parent}/${title}`
    return { path, title, below: treesOf(categories, path) }
  })
}

customElements.define('cartulary-content', Content)
