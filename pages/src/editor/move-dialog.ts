import { choiceOf } from '../elements/fields.ts'
import './category-choice.ts'
import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { DialogForm } from '../elements/dialog-form.ts'
import { PageElement } from '../elements/page.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import type { CategoryChoice } from './category-choice.ts'
import { command } from './model/command.ts'
import type { Editing } from './model/editing.ts'
import { listTops } from './model/edits.ts'
import type { Trees } from './model/node.ts'
import { findPlace, pathOf, type Target } from './model/places.ts'
import { exceededText } from './refusals.ts'

/** Moves the chosen categories anywhere, without dragging. */
export class MoveDialog extends PageElement {
  @property({ attribute: false }) editing!: Editing
  /** Keys of the categories, in the order of the document. */
  @property({ attribute: false }) chosen: readonly string[] = []
  /** Key of the category that they go into; empty for the top level. */
  @state() parent = ''
  /** Key of the category that they go before; empty for the end. */
  @state() sibling = ''
  @query('cartulary-dialog-form') dialog!: DialogForm | null
  @query('cartulary-category-choice') choice!: CategoryChoice | null

  async open(): Promise<void> {
    await this.updateComplete
    this.parent = this.editing.place?.above.at(-1)?.key ?? ''
    this.sibling = ''
    this.choice?.reset(this.parent)
    this.dialog?.open()
    // The dialog resets its fields, so they are rendered again with the place of the category.
    this.requestUpdate()
  }

  override render() {
    const { place, trees } = this.editing
    if (!place) return nothing
    const tops = listTops(trees, new Set(this.chosen)).map(({ key }) => key)
    const siblings = this.#siblings(trees).filter(({ key }) => !tops.includes(key))
    const outcome = this.editing.tryMove(this.chosen, this.#target())
    const exceeded = typeof outcome === 'object' ? exceededText(outcome.exceeded, this.editing.limits) : ''
    return html`<cartulary-dialog-form heading=${t('moveTo')} action=${t('move')} .blocked=${exceeded} .work=${this.#move}>
      <div class="stack">
        <p><strong>${tops.length > 1 ? t('chosen', { count: tops.length }) : pathOf(place)}</strong></p>
        <cartulary-category-choice
          data-first label=${t('moveInto')} .trees=${trees} .without=${tops} .top=${t('topLevel')} .value=${this.parent}
          @change=${this.#chooseParent}
        ></cartulary-category-choice>
        ${choiceOf(
          'before',
          t('movePosition'),
          [
            ...siblings.map(
              ({ key, title, source }) => [key, t('before', { title: title || source || t('untitled') })] as const,
            ),
            ['', t('asLast')],
          ],
          this.sibling,
          { isLive: true, onChange: (key) => (this.sibling = key) },
        )}
      </div>
    </cartulary-dialog-form>`
  }

  #siblings(trees: Trees): Trees {
    return this.parent === '' ? trees : (findPlace(trees, this.parent)?.node.below ?? [])
  }

  #target(): Target {
    if (this.sibling !== '') return { where: 'before', key: this.sibling }
    return this.parent === '' ? { where: 'end' } : { where: 'inside', key: this.parent }
  }

  #chooseParent(event: Event): void {
    this.parent = (event.target as CategoryChoice).value ?? ''
    this.sibling = ''
  }

  readonly #move = async () => {
    const [key] = this.chosen
    if (key !== undefined) command(this, { do: 'move', key, target: this.#target() })
  }
}

customElements.define('cartulary-move-dialog', MoveDialog)
