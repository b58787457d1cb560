import '../picker/category-picker.ts'
import './type-field.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { Action } from '../elements/action.ts'
import { readFields, reportFields } from '../elements/fields.ts'
import { Screen } from '../elements/screen.ts'
import { field } from '../forms/field.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import type { CategoryPicker } from '../picker/category-picker.ts'
import { call, post, signedIn } from '../session/session.ts'
import { itemFields } from './item-form.ts'
import { t } from './texts.ts'
import type { TypeField } from './type-field.ts'

/** Adds an item of the person. */
class NewItem extends Screen {
  readonly #adding = new Action(this)

  readonly #schema = new Task(this, {
    args: () => [],
    task: (_, { signal }) => call<CategorySchema>('/portals/self/categorySchema', {}, { signal }),
  })

  override render() {
    return html`<cartulary-heading text=${t('newItem')} note=${t('newItemText')}></cartulary-heading>
      <form class="stack" novalidate @submit=${this.#add}>
        ${itemFields({ title: '', snippet: '', tags: '' })}
        <cartulary-type-field></cartulary-type-field>
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
          <wa-button type="submit" variant="brand" ?loading=${this.#adding.isRunning}>${t('add')}</wa-button>
          <wa-button appearance="plain" href=${hrefTo('content')}>${t('cancel')}</wa-button>
        </div>
        <input type="submit" hidden>
      </form>`
  }

  async #add(event: Event): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const type = form.querySelector<TypeField>('cartulary-type-field')!
    if (!reportFields(form) || !type.report()) return
    const categories = form.querySelector<CategoryPicker>('cartulary-category-picker')?.value ?? []
    await this.#adding.run(async () => {
      const { id } = await post<{ readonly id: string }>(
        `/content/users/${encodeURIComponent(signedIn()?.username ?? '')}/addItem`,
        {
          ...readFields(form),
          type: type.value,
          ...(categories.length > 0 && { categories: JSON.stringify(categories) }),
        },
      )
      goTo(hrefTo('item', { item: id }))
    })
  }
}

customElements.define('cartulary-new-item', NewItem)
