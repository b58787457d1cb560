import '../picker/category-picker.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { query } from 'lit/decorators.js'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { ApiError } from '../api/call.ts'
import { announce } from '../elements/announce.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { readFields } from '../elements/fields.ts'
import { Reading } from '../elements/reading.ts'
import { Screen } from '../elements/screen.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import type { CategoryPicker } from '../picker/category-picker.ts'
import { call, may, post } from '../session/session.ts'
import { itemFields } from './item-form.ts'
import type { ListedItem } from './item-list.ts'
import { t } from './texts.ts'

interface WholeItem extends ListedItem {
  readonly created: number
  readonly description: string | null
  readonly url: string | null
  readonly protected: boolean
  readonly can?: readonly string[]
}

type GroupOutline = Pick<WireGroup, 'id' | 'title'>

/** An item: its details, its categories, and who sees it. */
class Item extends Screen {
  static override styles = css`
    .description {
      white-space: pre-line;
    }
  `

  @query('#edit') editDialog!: DialogForm
  @query('#delete') deleteDialog!: DialogForm

  readonly #item = new Reading(this, {
    args: () => [this.parameters['item'] ?? ''] as const,
    task: async ([id], { signal }) => {
      const path = `/content/items/${encodeURIComponent(id)}`
      const [item, groups] = await Promise.all([
        call<WholeItem>(path, { withCan: true }, { signal }),
        call<Record<'admin' | 'member' | 'other', readonly GroupOutline[]>>(`${path}/groups`, {}, { signal }),
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

  #renderItem(item: WholeItem, groups: readonly GroupOutline[]) {
    const { title, snippet, type, owner, access, created, modified, tags, categories, url, description } = item
    return html`<cartulary-heading text=${title} note=${snippet ?? ''}>
        ${
          may('updateItem', item)
            ? html`<wa-button appearance="outlined" @click=${() => this.#edit(categories)}
                ><wa-icon slot="start" name="pencil"></wa-icon>${t('edit')}</wa-button>`
            : nothing
        }
        ${
          may('deleteItem', item)
            ? html`<wa-button appearance="outlined" ?disabled=${item.protected} @click=${() => this.deleteDialog.open()}
                ><wa-icon slot="start" name="trash"></wa-icon>${t('delete')}</wa-button>`
            : nothing
        }
      </cartulary-heading>
      <div class="stack">
        <dl class="facts">
          <dt>${t('type')}</dt><dd><bdi>${type}</bdi></dd>
          <dt>${t('owner')}</dt><dd><bdi>${owner}</bdi></dd>
          <dt>${t('created')}</dt><dd><cartulary-moment .value=${created}></cartulary-moment></dd>
          <dt>${t('modified')}</dt><dd><cartulary-moment .value=${modified}></cartulary-moment></dd>
          <dt>${t('tags')}</dt><dd>${tags.length > 0 ? tags.map((tag, at) => html`${at > 0 ? ', ' : nothing}<bdi>${tag}</bdi>`) : t('none')}</dd>
          ${url ? html`<dt>${t('url')}</dt><dd><code>${url}</code></dd>` : nothing}
        </dl>
        ${description ? html`<h2>${t('description')}</h2><p class="description" dir="auto">${description}</p>` : nothing}
        <h2>${t('categories')}</h2>
        ${
          categories.length === 0
            ? html`<p>${t('noCategory')}</p>`
            : html`<ul>${categories.map((path) => html`<li><a href=${hrefTo('content', {}, { category: path })}><bdi>${path}</bdi></a></li>`)}</ul>`
        }
        <h2>${t('sharing')}</h2>
        <p>${t(`access_${access}`)}</p>
        ${
          groups.length === 0
            ? nothing
            : html`<ul>${groups.map(({ id, title }) => html`<li><a href=${hrefTo('content', {}, { group: id })}>${title}</a></li>`)}</ul>`
        }
      </div>
      <cartulary-dialog-form id="edit" heading=${t('edit')} action=${t('save')} .work=${this.#save} @done=${this.#reload}>
        <div class="stack">
          ${itemFields({ title, snippet: snippet ?? '', tags: tags.join(', ') })}
          <cartulary-category-picker multiple label=${t('categories')} .schema=${this.#schema.value} .value=${categories}></cartulary-category-picker>
        </div>
      </cartulary-dialog-form>
      <cartulary-dialog-form
        id="delete" danger heading=${t('deleteItem')} action=${t('delete')} .work=${this.#delete} @done=${() => goTo(hrefTo('content'))}
      ><p>${t('deleteItemText', { title })}</p></cartulary-dialog-form>`
  }

  readonly #reload = () => void this.#item.run()

  #edit(categories: readonly string[]): void {
    this.editDialog.querySelector<CategoryPicker>('cartulary-category-picker')!.value = categories
    this.editDialog.open()
  }

  readonly #save = async () => {
    const { item } = this.#item.value!
    const dialog = this.editDialog
    await post(`${pathOf(item)}/update`, { ...readFields(dialog), clearEmptyFields: true })
    const categories = dialog.querySelector<CategoryPicker>('cartulary-category-picker')?.value ?? item.categories
    if (categories.join('\n') !== item.categories.join('\n')) {
      const { results } = await post<{
        readonly results: readonly { readonly error?: { readonly code: number; readonly message: string } }[]
      }>('/content/updateItems', { items: JSON.stringify([{ [item.id]: { categories } }]) })
      const refusal = results[0]?.error
      if (refusal) throw new ApiError(refusal, undefined)
    }
    announce(t('saved'))
  }

  readonly #delete = async () => {
    await post(`${pathOf(this.#item.value!.item)}/delete`)
    announce(t('deleted'))
  }
}

function pathOf({ id, owner }: WholeItem): string {
  return `/content/users/${encodeURIComponent(owner)}/items/${encodeURIComponent(id)}`
}

customElements.define('cartulary-item', Item)
