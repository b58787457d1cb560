import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import '../elements/dialog-form.ts'
import '../elements/heading.ts'
import '../elements/moment.ts'
import '../elements/problem.ts'
import '../elements/states.ts'
import '../picker/category-picker.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { ApiError } from '../api/call.ts'
import { announce } from '../elements/announce.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { readFields } from '../elements/fields.ts'
import { Screen } from '../elements/screen.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import type { CategoryPicker } from '../picker/category-picker.ts'
import { call, may } from '../session/session.ts'
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

interface GroupOutline {
  readonly id: string
  readonly title: string
}

/** An item: what it says, where it is ordered, and who sees it. */
class Item extends Screen {
  static override styles = [
    ...Screen.styles,
    css`
      dl {
        display: grid;
        grid-template-columns: minmax(0, 10rem) minmax(0, 1fr);
        gap: 0.5rem 1rem;
        overflow-wrap: anywhere;
      }
      dt {
        color: var(--wa-color-text-quiet);
      }
      .description {
        white-space: pre-line;
      }
    `,
  ]

  readonly #item = new Task(this, {
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
    const { value, error } = this.#item
    if (error !== undefined) {
      return html`<cartulary-heading text=${t('item')}></cartulary-heading>
        <cartulary-problem .error=${error} can-retry @retry=${this.#reload}></cartulary-problem>`
    }
    if (value?.item.id !== this.parameters['item']) {
      return html`<cartulary-heading text=${t('item')}></cartulary-heading><cartulary-loading></cartulary-loading>`
    }
    return this.#renderItem(value!.item, value!.groups)
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
            ? html`<wa-button appearance="outlined" ?disabled=${item.protected} @click=${() => this.#dialog('delete').open()}
                ><wa-icon slot="start" name="trash"></wa-icon>${t('delete')}</wa-button>`
            : nothing
        }
      </cartulary-heading>
      <div class="stack">
        <dl>
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
    const dialog = this.#dialog('edit')
    dialog.querySelector<CategoryPicker>('cartulary-category-picker')!.value = categories
    dialog.open()
  }

  readonly #save = async () => {
    const { item } = this.#item.value!
    const dialog = this.#dialog('edit')
    await call(`${pathOf(item)}/update`, { ...readFields(dialog), clearEmptyFields: true }, { method: 'POST' })
    const categories = dialog.querySelector<CategoryPicker>('cartulary-category-picker')?.value ?? item.categories
    if (categories.join('\n') !== item.categories.join('\n')) {
      const { results } = await call<{
        readonly results: readonly { readonly error?: { readonly code: number; readonly message: string } }[]
      }>('/content/updateItems', { items: JSON.stringify([{ [item.id]: { categories } }]) }, { method: 'POST' })
      const refusal = results[0]?.error
      if (refusal) throw new ApiError(refusal, undefined)
    }
    announce(t('saved'))
  }

  readonly #delete = async () => {
    await call(`${pathOf(this.#item.value!.item)}/delete`, {}, { method: 'POST' })
    announce(t('deleted'))
  }

  #dialog(id: string): DialogForm {
    return this.renderRoot.querySelector<DialogForm>(`#${id}`)!
  }
}

function pathOf({ id, owner }: WholeItem): string {
  return `/content/users/${encodeURIComponent(owner)}/items/${encodeURIComponent(id)}`
}

customElements.define('cartulary-item', Item)
