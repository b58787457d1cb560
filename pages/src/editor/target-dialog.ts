import { choiceOf } from '../elements/fields.ts'
import './category-choice.ts'
import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { PageElement } from '../elements/page.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import type { CategoryChoice } from './category-choice.ts'
import { command } from './model/command.ts'
import type { Editing, MergeMode } from './model/editing.ts'
import { listTops } from './model/edits.ts'
import { listNodes, type Node } from './model/node.ts'
import { findPlace, pathOf, type Target } from './model/places.ts'
import { exceededText } from './status-lines.ts'

const words = {
  move: { heading: 'moveTo', action: 'move', target: 'moveInto' },
  whole: { heading: 'mergeInto', action: 'merge', target: 'mergeTarget' },
  items: { heading: 'giveItems', action: 'deleteAndGive', target: 'giveTarget' },
} as const

/** Moves the chosen categories anywhere, without dragging; merges them into another one; or removes them and gives their items to it. */
export class TargetDialog extends PageElement {
  @property({ attribute: false }) editing!: Editing
  /** Keys of the categories, in the order of the document. */
  @property({ attribute: false }) chosen: readonly string[] = []
  @state() mode: 'move' | MergeMode = 'move'
  /** Key of the category that they go into; empty for the top level, undefined until one is chosen. */
  @state() into: string | undefined
  /** Key of the category that they are moved before; empty for the end. */
  @state() sibling = ''
  @query('cartulary-category-choice') choice!: CategoryChoice | null

  async open({ mode }: { readonly mode?: MergeMode }): Promise<void> {
    await this.updateComplete
    this.mode = mode ?? 'move'
    this.into = mode === undefined ? (this.editing.place?.above.at(-1)?.key ?? '') : undefined
    this.sibling = ''
    this.choice?.reset(this.into)
    await this.openDialog()
    // The dialog resets its fields, so they are rendered again with the place of the category.
    this.requestUpdate()
  }

  override render() {
    const { mode, into } = this
    const { trees } = this.editing
    const tops = listTops(trees, new Set(this.chosen))
    const [first] = tops
    if (!first) return nothing
    const { heading, action, target } = words[mode]
    return html`<cartulary-dialog-form
      heading=${t(heading)} action=${t(action)} ?danger=${mode === 'items'} .blocked=${this.#findObstacle()} .work=${this.#work}
    >
      ${this.#renderChosen(first, tops)}
      <cartulary-category-choice
        data-first label=${t(target)} .trees=${trees} .without=${tops.map(({ key }) => key)} .top=${mode === 'move' ? t('topLevel') : undefined}
        .value=${into} @change=${this.#choose}
      ></cartulary-category-choice>
      ${mode === 'move' ? this.#renderPosition(tops) : nothing}
    </cartulary-dialog-form>`
  }

  #renderChosen(first: Node, tops: readonly Node[]) {
    const count = tops.length
    if (this.mode === 'move') {
      const { place } = this.editing
      return html`<p><strong>${count > 1 || !place ? t('chosen', { count }) : pathOf(place)}</strong></p>`
    }
    const below = listNodes(tops.flatMap((node) => node.below)).length
    const names = { title: first.title || first.source || t('untitled'), count, below }
    return html`<p>${t(this.mode === 'whole' ? 'mergeText' : 'giveText', names)}</p>`
  }

  #renderPosition(tops: readonly Node[]) {
    const { trees } = this.editing
    const siblings = this.into ? (findPlace(trees, this.into)?.node.below ?? []) : trees
    const positions = siblings
      .filter((node) => !tops.includes(node))
      .map(({ key, title, source }) => [key, t('before', { title: title || source || t('untitled') })] as const)
    return choiceOf('before', t('movePosition'), [...positions, ['', t('asLast')]], this.sibling, {
      isLive: true,
      onChange: (key) => (this.sibling = key),
    })
  }

  #choose({ target }: Event): void {
    this.into = (target as CategoryChoice).value
    this.sibling = ''
  }

  get #target(): Target {
    if (this.sibling !== '') return { where: 'before', key: this.sibling }
    return this.into ? { where: 'inside', key: this.into } : { where: 'end' }
  }

  /** Why it cannot be done now; empty if it can. */
  #findObstacle(): string {
    const { editing, chosen, mode, into } = this
    if (into === undefined) return t('chooseFirst')
    const outcome = mode === 'move' ? editing.tryMove(chosen, this.#target) : editing.tryMerge(chosen, into, mode)
    return typeof outcome === 'object' ? exceededText(outcome.exceeded, editing.limits) : ''
  }

  readonly #work = async () => {
    const { mode, into } = this
    const [key] = this.chosen
    if (key === undefined || into === undefined) return
    command(this, mode === 'move' ? { do: 'move', key, target: this.#target } : { do: 'merge', key, into, mode })
  }
}

customElements.define('cartulary-target-dialog', TargetDialog)
