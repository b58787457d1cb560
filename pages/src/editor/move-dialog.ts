import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { live } from 'lit/directives/live.js'
import type { DialogForm } from '../elements/dialog-form.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { PageElement } from '../elements/page-element.ts'
import { command } from './model/command.ts'
import type { Editing } from './model/editing.ts'
import { listNodes, type Trees } from './model/node.ts'
import { findPlace, pathOf, type Target } from './model/places.ts'
import { exceededText, refused } from './refusals.ts'
import { t } from './texts.ts'

/** Moves the selected category anywhere by two lists, without dragging. */
export class MoveDialog extends PageElement {
  static override styles = fieldStyle

  @property({ attribute: false }) editing!: Editing
  /** Key of the category that it goes into; empty for the top level. */
  @state() parent = ''
  /** Key of the category that it goes before; empty for the end. */
  @state() sibling = ''
  @query('cartulary-dialog-form') dialog!: DialogForm | null

  open(): void {
    this.parent = this.editing.place?.above.at(-1)?.key ?? ''
    this.sibling = ''
    this.dialog?.open()
    // The dialog resets its fields, so they are rendered again with the place of the category.
    this.requestUpdate()
  }

  override render() {
    const { place, trees } = this.editing
    if (!place) return nothing
    const own = new Set(listNodes([place.node]).map(({ key }) => key))
    const parents = listNodes(trees).filter(({ key }) => !own.has(key))
    const siblings = this.#siblings(trees).filter(({ key }) => key !== place.node.key)
    const outcome = this.editing.tryMove(place.node.key, this.#target())
    return html`<cartulary-dialog-form heading=${t('moveTo')} action=${t('move')} .work=${this.#move}>
      <div class="stack">
        <p><strong>${pathOf(place)}</strong></p>
        <label class="field">
          <span>${t('moveInto')}</span>
          <select name="parent" @change=${this.#chooseParent}>
            <option value="" .selected=${live(this.parent === '')}>${t('topLevel')}</option>
            ${parents.map(
              ({ key }) =>
                html`<option value=${key} dir="auto" .selected=${live(key === this.parent)}>${pathOf(findPlace(trees, key)!)}</option>`,
            )}
          </select>
        </label>
        <label class="field">
          <span>${t('movePosition')}</span>
          <select name="before" @change=${this.#chooseBefore}>
            ${siblings.map(
              ({ key, title, source }) =>
                html`<option value=${key} dir="auto" .selected=${live(key === this.sibling)}>${t('before', { title: title || source || t('untitled') })}</option>`,
            )}
            <option value="" .selected=${live(this.sibling === '')}>${t('asLast')}</option>
          </select>
        </label>
        <p role="status">${typeof outcome === 'object' ? exceededText(outcome.exceeded, this.editing.limits) : ''}</p>
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
    this.parent = (event.target as HTMLSelectElement).value
    this.sibling = ''
  }

  #chooseBefore(event: Event): void {
    this.sibling = (event.target as HTMLSelectElement).value
  }

  readonly #move = async () => {
    const key = this.editing.selected
    if (key === undefined) return
    const outcome = this.editing.tryMove(key, this.#target())
    if (typeof outcome === 'object') throw refused(exceededText(outcome.exceeded, this.editing.limits))
    command(this, { do: 'move', key, target: this.#target() })
  }
}

customElements.define('cartulary-move-dialog', MoveDialog)
