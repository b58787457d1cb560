import { Action, announce, button, PageElement } from '../../elements/page.ts'
import './failures.ts'
import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { plannedUndoShape } from '../../../../src/http/shapes/items/item-runs.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'
import type { Job } from '../../session/job.ts'
import { ofContentBulk as t } from '../../texts/rooms.ts'

export type PlannedUndo = ValueOf<typeof plannedUndoShape>

/** Plan of an undoing in words: how many changes go back, and which items stay as they are, by the reasons. */
export function renderPlan({ total, undone, failures }: PlannedUndo) {
  return html`<p><strong>${t('goBack', { count: undone })}</strong></p>
    <cartulary-failures .lead=${t('stay', { count: total - undone })} .failures=${failures}></cartulary-failures>`
}

/** A button that undoes changes of items, once the person has seen what that does, and the outcome of the last time. */
class ItemUndo extends PageElement {
  /** Whether there is something to undo. */
  @property({ type: Boolean }) offered = false
  @property({ attribute: false }) plan!: () => Promise<PlannedUndo>
  @property({ attribute: false }) undo!: () => Promise<Pick<Job, 'done' | 'failures'>>
  @state() planned: PlannedUndo | undefined
  @state() undone: Pick<Job, 'done' | 'failures'> | undefined

  readonly #undoing = new Action(this)

  override render() {
    const { undone } = this
    return html`<cartulary-problem .error=${this.#undoing.error}></cartulary-problem>
      ${undone ? html`<div class="stack"><p>${sumOf(undone)}</p><cartulary-failures .failures=${undone.failures}></cartulary-failures></div>` : nothing}
      ${this.offered && undone?.failures.length !== 0 ? this.#renderUndo() : nothing}`
  }

  #renderUndo() {
    const { planned } = this
    const options = { size: 's', disabled: this.#undoing.isRunning } as const
    if (!planned) return button(t('undo'), { ...options, icon: 'undo', onClick: () => this.#plan() })
    return html`<div class="stack">
      ${renderPlan(planned)}
      <div class="row">
        ${planned.undone > 0 ? button(t('undoNow'), { ...options, variant: 'brand', onClick: () => this.#undo() }) : nothing}
        ${button(t('cancel'), { ...options, onClick: () => (this.planned = undefined) })}
      </div>
    </div>`
  }

  #plan(): void {
    void this.#undoing.run(async () => {
      this.undone = undefined
      this.planned = await this.plan()
      announce(t('goBack', { count: this.planned.undone }))
    })
  }

  #undo(): void {
    void this.#undoing.run(async () => {
      this.planned = undefined
      this.undone = await this.undo()
      announce(sumOf(this.undone))
    })
  }
}

/** Number of changes that are undone. */
function sumOf({ done, failures }: Pick<Job, 'done' | 'failures'>): string {
  return t('run_reverted', { count: done - failures.length })
}

customElements.define('cartulary-item-undo', ItemUndo)
