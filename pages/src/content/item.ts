import type { WireItem } from '../../../src/http/shapes/items/item.ts'
import { announce, button, Screen } from '../elements/page.ts'
import type { ShareItem } from './sharing/share-item.ts'
import '../picker/category-picker.ts'
import './history/item-history.ts'
import './sharing/share-item.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { query } from 'lit/decorators.js'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import { ApiError } from '../api/call.ts'
import { field, readFields, textField } from '../elements/fields.ts'
import { renderFacts, renderNames } from '../elements/lists/facts.ts'
import { delayed } from '../elements/undo-message.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import type { CategoryPicker } from '../picker/category-picker.ts'
import { call, itemPath, may, post } from '../session/session.ts'
import { ofContent as t } from '../texts/rooms.ts'
import { changedItems, ItemReading } from './changed-items.ts'
import { itemFields } from './item-form.ts'
import { iconOfType } from './item-types.ts'
import type { SharingGroup } from './sharing/audience-preview.ts'

/** An item: its details, its categories, and who sees it. */
class Item extends Screen {
  /* Trails: the titles from the tree to the category, one after the other. */
  static override styles = css`
    .trail {
      gap: 0 0.375rem;
    }
    .trail li {
      display: flex;
      gap: 0.375rem;
      align-items: center;
      min-width: 0;
      overflow-wrap: anywhere;
    }
    .trail wa-icon {
      flex: none;
      font-size: 0.75em;
      color: var(--wa-color-text-quiet);
    }
    .trail wa-icon:dir(rtl) {
      scale: -1 1;
    }
  `

  @query('cartulary-share-item') shareDialog!: ShareItem

  readonly #item = new ItemReading(this, {
    args: () => [this.parameters['item'] ?? ''] as const,
    task: async ([id], { signal }) => {
      const path = `/content/items/${encodeURIComponent(id)}`
      const [item, groups] = await Promise.all([
        call<WireItem>(path, { withCan: true }, { signal }),
        call<Record<'admin' | 'member' | 'other', readonly SharingGroup[]>>(`${path}/groups`, {}, { signal }),
      ])
      return { item, groups: [...groups.admin, ...groups.member, ...groups.other] }
    },
  })

  readonly #schema = new Task(this, {
    args: () => [],
    task: (_, { signal }) => call<CategorySchema>('/portals/self/categorySchema', {}, { signal }),
  })

  override render() {
    const { value } = this.#item
    if (!value || value.item.id !== this.parameters['item']) {
      return html`<cartulary-heading text=${t('item')}></cartulary-heading>${this.#item.show(() => nothing)}`
    }
    return this.#renderItem(value.item, value.groups)
  }

  #renderItem(item: WireItem, groups: readonly SharingGroup[]) {
    const { id, title, snippet, type, owner, access, created, modified, tags, categories, url, description } = item
    const known = item.isOrgItem && this.#schema.value ? new Set(listPaths(this.#schema.value)) : undefined
    return html`<cartulary-heading text=${title} note=${snippet ?? ''}>
        ${may('shareUserItem', item) ? button(t('share'), { icon: 'share', variant: 'brand', onClick: () => this.shareDialog.open() }) : nothing}
        ${may('updateItem', item) ? button(t('edit'), { icon: 'pencil', onClick: () => this.#edit(categories) }) : nothing}
        ${may('deleteItem', item) ? button(t('delete'), { icon: 'trash', disabled: item.protected, onClick: () => this.openDialog('#delete') }) : nothing}
      </cartulary-heading>
      <div class="stack">
        ${renderFacts([
          [t('type'), html`<wa-icon name=${iconOfType(type)}></wa-icon> <bdi>${type}</bdi>`],
          [
            t('owner'),
            item.isOrgItem
              ? html`<a href=${hrefTo('person', { username: owner })}><bdi>${owner}</bdi></a>`
              : html`<bdi>${owner}</bdi>`,
          ],
          [t('created'), html`<cartulary-moment .value=${created}></cartulary-moment>`],
          [t('modified'), html`<cartulary-moment .value=${modified}></cartulary-moment>`],
          [t('tags'), tags.length > 0 && renderNames(tags)],
          [t('url'), url && renderAddress(url)],
        ])}
        <div class="stack two"><div class="stack">
        ${description ? html`<h2>${t('description')}</h2><p class="description" dir="auto">${description}</p>` : nothing}
        <h2>${t('categories')}</h2>
        ${categories.length === 0 ? html`<p>${t('noCategory')}</p>` : html`<div class="stack">${categories.map((path) => html`<div class="row">${renderTrail(path)}${known?.has(path) === false ? html`<wa-tag size="s" variant="warning">${t('unrecognized')}</wa-tag>` : nothing}</div>`)}</div>`}
        <h2>${t('sharing')}</h2>
        <p>${t(`access_${access}`)}</p>
        ${groups.length === 0 ? nothing : html`<ul>${groups.map(({ id, title }) => html`<li><a href=${hrefTo('content', {}, { group: id })}>${title}</a></li>`)}</ul>`}
        </div>
        ${may('listItemHistory', item) ? html`<cartulary-item-history .item=${id}></cartulary-item-history>` : nothing}
        </div>
      </div>
      <cartulary-share-item .item=${item} .groups=${groups}></cartulary-share-item>
      <cartulary-dialog-form id="edit" heading=${t('edit')} action=${t('save')} .work=${this.#save}>
        ${itemFields({ title, snippet: snippet ?? '', tags: tags.join(', ') })}
        ${field('url', t('url'), { type: 'url', dir: 'ltr', max: 2048, value: url ?? '' })}
        ${textField('description', t('description'), { value: description ?? '' })}
        <cartulary-category-picker multiple label=${t('categories')} .schema=${this.#schema.value} .value=${categories}></cartulary-category-picker>
      </cartulary-dialog-form>
      <cartulary-dialog-form
        id="delete" danger heading=${t('deleteItem')} action=${t('delete')} .work=${this.#delete} @done=${() => goTo(hrefTo('content'))}
      ><p>${t('deleteItemText', { title })} ${t('deletionWaits')}</p></cartulary-dialog-form>`
  }

  #edit(categories: readonly string[]): void {
    this.dialogOf('#edit').querySelector<CategoryPicker>('cartulary-category-picker')!.value = categories
    void this.openDialog('#edit')
  }

  readonly #save = async () => {
    const { item } = this.#item.value!
    const dialog = this.dialogOf('#edit')
    await post(`${itemPath(item.owner, item.id)}/update`, { ...readFields(dialog), clearEmptyFields: true })
    const categories = dialog.querySelector<CategoryPicker>('cartulary-category-picker')?.value ?? item.categories
    if (categories.join('\n') !== item.categories.join('\n')) {
      const { results } = await post<{
        readonly results: readonly { readonly error?: { readonly code: number; readonly message: string } }[]
      }>('/content/updateItems', { items: JSON.stringify([{ [item.id]: { categories } }]) })
      const refusal = results[0]?.error
      if (refusal) throw new ApiError(refusal, undefined)
    }
    announce(t('saved'))
    changedItems.emit()
  }

  /** Deletes the item after ten seconds, wherever the person is then. */
  readonly #delete = async () => {
    const { item } = this.#item.value!
    void delayed(t('deleting', { title: item.title }), async () => {
      await call(`${itemPath(item.owner, item.id)}/delete`, {}, { method: 'POST', keepalive: true })
      announce(t('deleted'))
      changedItems.emit()
    })
  }
}

/** Shows a path as its titles, each a link to the items there. */
function renderTrail(path: string) {
  const titles = path.split('/').slice(1)
  return html`<ol class="row trail" role="list">${titles.map((title, at) => {
    const category = `/${titles.slice(0, at + 1).join('/')}`
    return html`<li>${at > 0 ? html`<wa-icon name="chevron-right"></wa-icon>` : nothing}<a href=${hrefTo('content', {}, { category })}><bdi>${title}</bdi></a></li>`
  })}</ol>`
}

/** Shows an address as a link, if it is one of the web. */
function renderAddress(url: string) {
  return /^https?:\/\//i.test(url)
    ? html`<a href=${url} target="_blank" rel="noopener noreferrer"><bdi>${url}</bdi></a>`
    : html`<code>${url}</code>`
}

customElements.define('cartulary-item', Item)
