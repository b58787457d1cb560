import { Action, button, Screen } from '../elements/page.ts'
import '../picker/category-picker.ts'
import '../tables/list-import.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import { KnownPaths } from '../../../src/items/categories/category-paths.ts'
import { ApiError } from '../api/call.ts'
import type { Parameters } from '../api/parameters.ts'
import { field, readFields, reportFields } from '../elements/fields.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import type { CategoryPicker } from '../picker/category-picker.ts'
import { forEachOf } from '../session/for-each-of.ts'
import { call, contentPath, post, signedIn } from '../session/session.ts'
import type { Wrong } from '../tables/list.ts'
import type { Added, TableList } from '../tables/list-import.ts'
import { findOwnGroups } from '../tables/own-groups.ts'
import { ofContent as t } from '../texts/rooms.ts'
import { itemFields } from './item-form.ts'
import { itemColumns, judgeListedItems, type ListedItem } from './item-table.ts'
import { iconOfType, otherTypes, usualTypes } from './item-types.ts'
import type { Shared } from './sharing/share-item.ts'

/** Adds an item of the person, or several from a list. */
class NewItem extends Screen {
  static override styles = css`
    .types {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 10rem), 1fr));
      gap: 0.5rem;
      margin-block: 0.25rem 0.75rem;
    }
    .types label {
      display: flex;
      gap: 0.5rem;
      align-items: center;
      min-width: 0;
      padding: 0.375rem 0.625rem;
      border: 1px solid var(--wa-color-surface-border);
      border-radius: 0.375rem;
      cursor: pointer;
    }
    .types label:has(:checked) {
      border-color: var(--wa-color-brand-border-loud);
      background: var(--wa-color-brand-fill-quiet);
    }
    .types span {
      min-width: 0;
    }
    .types wa-icon {
      flex: none;
    }
  `

  /** Items that were added from a list. */
  @state() added = 0
  /** A usual type; undefined for another one, which is typed. */
  @state() chosenType: string | undefined = usualTypes[0]

  readonly #adding = new Action(this)
  readonly #addItem = itemAdder()
  readonly #list: TableList<readonly ListedItem[]> = {
    get columns() {
      return itemColumns()
    },
    judge: async (rows, signal) => {
      const [{ categorySchema }, groups] = await Promise.all([
        call<CategorySchema>('/portals/self/categorySchema', {}, { signal }),
        findOwnGroups(rows, signal),
      ])
      return judgeListedItems(rows, {
        known: new KnownPaths(listPaths({ categorySchema })),
        groups,
        type: usualTypes[0]!,
      })
    },
    actionOf: ({ length: count }) => (count > 0 ? t('addMany', { count }) : undefined),
    apply: (items, added) => this.#addListed(items, added),
  }

  readonly #schema = new Task(this, {
    args: () => [],
    task: (_, { signal }) => call<CategorySchema>('/portals/self/categorySchema', {}, { signal }),
  })

  override render() {
    return html`<cartulary-heading text=${t('newItem')} note=${t('newItemText')}></cartulary-heading>
      <div class="stack"><form class="stack" novalidate @submit=${this.#add}>
        ${itemFields({ title: '', snippet: '', tags: '' })}
        ${this.#renderType()}
        ${field('url', t('url'), { type: 'url', max: 2048 })}
        ${
          this.#schema.value?.categorySchema.length
            ? html`<div class="field">
                <span>${t('categories')}</span>
                <cartulary-category-picker multiple label=${t('categories')} .schema=${this.#schema.value}></cartulary-category-picker>
              </div>`
            : nothing
        }
        <cartulary-problem .error=${this.#adding.error}></cartulary-problem>
        <div class="row">
          ${button(t('add'), { type: 'submit', variant: 'brand', loading: this.#adding.isRunning })}
          ${button(t('cancel'), { appearance: 'plain', href: hrefTo('content') })}
        </div>
        <input type="submit" hidden>
      </form>
      <details class="panel">
        <summary>${t('fromList')}</summary>
        <div class="stack">
          ${this.added > 0 ? html`<p role="status"><strong>${t('addedMany', { count: this.added })}</strong> <a href=${hrefTo('content')}>${t('content')}</a></p>` : nothing}
          <cartulary-list-import .list=${this.#list}></cartulary-list-import>
        </div>
      </details></div>`
  }

  /** Choice of the type: the usual ones with their icons, or any other text. */
  #renderType() {
    const choice = (type: string | undefined, words: string) => html`<label>
      <input type="radio" name="chosen" .checked=${type === this.chosenType} @change=${() => (this.chosenType = type)}>
      <wa-icon name=${type === undefined ? 'ellipsis' : iconOfType(type)}></wa-icon><span>${words}</span>
    </label>`
    return html`<fieldset>
        <legend>${t('type')}</legend>
        <div class="types">${usualTypes.map((type) => choice(type, type))}${choice(undefined, t('otherType'))}</div>
      </fieldset>
      ${
        this.chosenType === undefined
          ? html`${field('type', t('otherTypeName'), { required: true, max: 128, list: 'types' })}
              <datalist id="types">${otherTypes.map((type) => html`<option value=${type}></option>`)}</datalist>`
          : nothing
      }`
  }

  /** Adds items, some at a time, and shares them; each is refused for itself. */
  async #addListed(items: readonly ListedItem[], added: Added): Promise<readonly Wrong[]> {
    const user = contentPath(signedIn()?.username ?? '')
    const refused: Wrong[] = []
    await forEachOf(items, async ({ row, parameters, groups }) => {
      const refuse = (sentences: readonly string[]) =>
        refused.push({ row, problem: [...new Set(sentences)].join(' '), isEnglish: true })
      try {
        if (!added.has(row)) {
          added.set(row, await this.#addItem(parameters))
          this.added += 1
        }
        if (groups.length === 0) return
        const path = `${user}/items/${added.get(row)}/share`
        const { reasons } = await post<Shared>(path, { groups: groups.join(',') })
        if (reasons) refuse(Object.values(reasons))
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 498) throw error
        refuse([error.message, ...error.details])
      }
    })
    return refused.sort((one, other) => one.row - other.row)
  }

  async #add(event: Event): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    if (!reportFields(form)) return
    const categories = form.querySelector<CategoryPicker>('cartulary-category-picker')?.value ?? []
    await this.#adding.run(async () => {
      const { chosen: _, type = '', ...fields } = readFields(form)
      const id = await this.#addItem({
        ...fields,
        type: this.chosenType ?? type.trim(),
        ...(categories.length > 0 && { categories: JSON.stringify(categories) }),
      })
      goTo(hrefTo('item', { item: id }))
    })
  }
}

customElements.define('cartulary-new-item', NewItem)

interface OwnItem {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly created: number
}

/** Items among which one is looked for whose adding was not answered (chosen). */
const looked = 100

/** Adds items of the person, each once: where the answer to an earlier try was lost, the item may be there already. */
export function itemAdder(): (parameters: Parameters) => Promise<string> {
  const known = new Set<string>()
  let isLost = false
  /** When the newest item of before was created. */
  let before: Promise<number> | undefined
  return async (parameters) => {
    const user = contentPath(signedIn()?.username ?? '')
    const listNewest = async () =>
      (
        await call<{ readonly items: readonly OwnItem[] }>(user, {
          num: looked,
          sortField: 'created',
          sortOrder: 'desc',
        })
      ).items
    before ??= listNewest().then((items) => {
      for (const { id } of items) known.add(id)
      return items[0]?.created ?? 0
    })
    const since = await before.catch((error: unknown) => {
      before = undefined
      throw error
    })
    const isTried = ({ id, title, type, created }: OwnItem) =>
      created >= since && !known.has(id) && title === String(parameters['title']).trim() && type === parameters['type']
    const tried = isLost ? (await listNewest()).find(isTried) : undefined
    try {
      const { id } = tried ?? (await post<{ readonly id: string }>(`${user}/addItem`, parameters))
      known.add(id)
      return id
    } catch (error) {
      if (!(error instanceof ApiError)) isLost = true
      throw error
    }
  }
}
