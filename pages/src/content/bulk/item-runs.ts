import type { runShape } from '../../../../src/http/shapes/items/item-runs.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'
import { PageElement } from '../../elements/page.ts'
import './item-undo.ts'
import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import { call } from '../../session/session.ts'
import { ofContentBulk as t } from '../../texts/rooms.ts'
import { ItemReading, planUndo, revertRun } from '../changed-items.ts'

/** Changes of several items that were made together. */
type ItemRun = ValueOf<typeof runShape>

/** Runs that are shown (chosen): the last ones. */
const num = 20

/** The last changes of several items, each with a button to undo it; they are read when the person opens the list. */
class ItemRuns extends PageElement {
  /** Whether the list is open. */
  @property({ type: Boolean }) isOpen = false

  readonly #runs = new ItemReading(this, {
    args: () => [this.isOpen] as const,
    task: async ([isOpen], { signal }): Promise<readonly ItemRun[]> => {
      if (!isOpen) return []
      return (await call<{ readonly runs: readonly ItemRun[] }>('/content/categories/runs', { num }, { signal })).runs
    },
  })
  override render() {
    return html`<details .open=${this.isOpen} @toggle=${(event: Event) => (this.isOpen = (event.target as HTMLDetailsElement).open)}>
      <summary>${t('runs')}</summary>
      ${this.isOpen ? this.#runs.showLatest((runs) => this.#renderRuns(runs)) : nothing}
    </details>`
  }

  #renderRuns(runs: readonly ItemRun[]) {
    if (runs.length === 0) return html`<p class="quiet">${t('noRuns')}</p>`
    return html`<ul role="list" class="entries">${repeat(
      runs,
      ({ id }) => id,
      (run) => html`<li>
        <div>
          <div>${t(kindOf(run), { count: run.changes })}${run.failed > 0 ? html` · ${t('refused', { count: run.failed })}` : nothing}</div>
          <div class="quiet"><cartulary-moment .value=${run.created}></cartulary-moment>${run.actor === null ? nothing : html` · <bdi>${run.actor}</bdi>`}</div>
        </div>
        <cartulary-item-undo ?offered=${run.isRevertible} .plan=${() => planUndo(run.id)} .undo=${() => revertRun(run.id)}></cartulary-item-undo>
      </li>`,
    )}</ul>`
  }
}

function kindOf({ kind }: ItemRun): 'run_changed' | 'run_imported' | 'run_reverted' {
  if (kind === 'changeItems') return 'run_changed'
  return kind === 'importItemCategories' ? 'run_imported' : 'run_reverted'
}

customElements.define('cartulary-item-runs', ItemRuns)
