import './category-choice.ts'
import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { DialogForm } from '../elements/dialog-form.ts'
import { PageElement } from '../elements/page.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import type { CategoryChoice } from './category-choice.ts'
import { command } from './model/command.ts'
import type { Editing, MergeMode } from './model/editing.ts'
import { listTops } from './model/edits.ts'
import { listNodes } from './model/node.ts'
import { exceededText } from './refusals.ts'

/** Merges the chosen categories into another one, or removes them and gives their items to it. */
export class MergeDialog extends PageElement {
  @property({ attribute: false }) editing!: Editing
  /** Keys of the categories, in the order of the document. */
  @property({ attribute: false }) chosen: readonly string[] = []
  @state() mode: MergeMode = 'whole'
  @state() into: string | undefined
  @query('cartulary-dialog-form') dialog!: DialogForm | null
  @query('cartulary-category-choice') choice!: CategoryChoice | null

  async open({ mode }: { readonly mode: MergeMode }): Promise<void> {
    await this.updateComplete
    this.mode = mode
    this.into = undefined
    this.choice?.reset(undefined)
    this.dialog?.open()
  }

  override render() {
    const { trees, limits } = this.editing
    const tops = listTops(trees, new Set(this.chosen))
    const [first] = tops
    if (!first) return nothing
    const below = listNodes(tops.flatMap((node) => node.below)).length
    const names = { title: first.title || first.source || t('untitled'), count: tops.length, below }
    const outcome = this.into === undefined ? 'unchanged' : this.editing.tryMerge(this.chosen, this.into, this.mode)
    const isWhole = this.mode === 'whole'
    const exceeded = typeof outcome === 'object' ? exceededText(outcome.exceeded, limits) : ''
    return html`<cartulary-dialog-form
      heading=${t(isWhole ? 'mergeInto' : 'giveItems')} action=${t(isWhole ? 'merge' : 'deleteAndGive')} ?danger=${!isWhole}
      .blocked=${this.into === undefined ? t('chooseFirst') : exceeded} .work=${this.#merge}
    >
      <div class="stack">
        <p>${t(isWhole ? 'mergeText' : 'giveText', names)}</p>
        <cartulary-category-choice
          data-first label=${t(isWhole ? 'mergeTarget' : 'giveTarget')} .trees=${trees} .without=${tops.map(({ key }) => key)}
          .value=${this.into} @change=${(event: Event) => (this.into = (event.target as CategoryChoice).value)}
        ></cartulary-category-choice>
      </div>
    </cartulary-dialog-form>`
  }

  readonly #merge = async () => {
    const [key] = this.chosen
    const { into, mode } = this
    if (key !== undefined && into !== undefined) command(this, { do: 'merge', key, into, mode })
  }
}

customElements.define('cartulary-merge-dialog', MergeDialog)
