import '@awesome.me/webawesome/dist/components/button/button.js'
import '../elements/heading.ts'
import '../elements/problem.ts'
import '../picker/category-picker.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { readFields, reportFields } from '../elements/fields.ts'
import { Screen } from '../elements/screen.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import type { CategoryPicker } from '../picker/category-picker.ts'
import { call, signedIn } from '../session/session.ts'
import { itemFields } from './item-form.ts'
import { t } from './texts.ts'

/** Adds an item of the person. */
class NewItem extends Screen {
  static override properties = { isBusy: { state: true }, error: { state: true } }

  static override styles = [...Screen.styles, fieldStyle]

  declare isBusy: boolean
  declare error: unknown

  readonly #schema = new Task(this, {
    args: () => [],
    task: (_, { signal }) => call<CategorySchema>('/portals/self/categorySchema', {}, { signal }),
  })

  constructor() {
    super()
    this.isBusy = false
  }

  override render() {
    return html`<cartulary-heading text=${t('newItem')} note=${t('newItemText')}></cartulary-heading>
      <form class="stack" novalidate @submit=${this.#add}>
        ${itemFields({ title: '', snippet: '', tags: '' })}
        <label class="field">
          <span>${t('type')}</span><input name="type" required maxlength="128" list="types" .value=${'Web Map'}>
          <datalist id="types">
            ${['Web Map', 'Web Scene', 'Feature Service', 'Map Service', 'Dashboard', 'StoryMap', 'PDF'].map((type) => html`<option value=${type}></option>`)}
          </datalist>
        </label>
        <label class="field"><span>${t('url')}</span><input name="url" type="url" maxlength="2048" autocomplete="off"></label>
        ${
          this.#schema.value?.categorySchema.length
            ? html`<div class="field">
                <span>${t('categories')}</span>
                <cartulary-category-picker multiple label=${t('categories')} .schema=${this.#schema.value}></cartulary-category-picker>
              </div>`
            : nothing
        }
        ${this.error === undefined ? nothing : html`<cartulary-problem .error=${this.error}></cartulary-problem>`}
        <div class="row">
          <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>${t('add')}</wa-button>
          <wa-button appearance="plain" href=${hrefTo('content')}>${t('cancel')}</wa-button>
        </div>
        <input type="submit" hidden>
      </form>`
  }

  async #add(event: Event): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    if (this.isBusy || !reportFields(form)) return
    this.isBusy = true
    this.error = undefined
    const categories = form.querySelector<CategoryPicker>('cartulary-category-picker')?.value ?? []
    try {
      const { id } = await call<{ readonly id: string }>(
        `/content/users/${encodeURIComponent(signedIn()?.username ?? '')}/addItem`,
        { ...readFields(form), ...(categories.length > 0 && { categories: JSON.stringify(categories) }) },
        { method: 'POST' },
      )
      goTo(hrefTo('item', { item: id }))
    } catch (error) {
      this.error = error
    } finally {
      this.isBusy = false
    }
  }
}

customElements.define('cartulary-new-item', NewItem)
