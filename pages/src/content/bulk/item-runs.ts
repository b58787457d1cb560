import type { runShape } from '../../../../src/http/shapes/items/item-runs.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'
import { Action, announce, button, PageElement, Reading } from '../../elements/page.ts'
import './failures.ts'
import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { Job } from '../../session/job.ts'
import { call } from '../../session/session.ts'
import { ofContentBulk as t } from '../../texts/rooms.ts'
import { type PlannedUndo, planUndo, revertRun, watchItems } from '../changed-items.ts'

/** Changes of several items that were made together. */
type ItemRun = ValueOf<typeof runShape>

/** Runs that are shown (chosen): the last ones. */
const num = 20

/** The last changes of several items, each with a button to undo it; they are read when the person opens the list. */
class ItemRuns extends PageElement {
  /** Whether the list is open. */
  @property({ type: Boolean }) isOpen = false
  /** The last undoing, with the run that it was of. */
  @state() undone: { readonly runId: string; readonly job: Job } | undefined
  /** Plan of an undoing, until the person decides. */
  @state() planned: { readonly runId: string; readonly plan: PlannedUndo } | undefined

  readonly #runs = new Reading(this, {
    args: () => [this.isOpen] as const,
    task: async ([isOpen], { signal }): Promise<readonly ItemRun[]> => {
      if (!isOpen) return []
      return (await call<{ readonly runs: readonly ItemRun[] }>('/content/categories/runs', { num }, { signal })).runs
    },
  })
  readonly #undoing = new Action(this)
  constructor() {
    super()
    watchItems(this, () => void this.#runs.run())
  }

  override render() {
    return html`<details .open=${this.isOpen} @toggle=${(event: Event) => (this.isOpen = (event.target as HTMLDetailsElement).open)}>
      <summary>${t('runs')}</summary>
      <cartulary-problem .error=${this.#undoing.error}></cartulary-problem>
      ${this.isOpen ? this.#runs.showLatest((runs) => this.#renderRuns(runs)) : nothing}
    </details>`
  }

  #renderRuns(runs: readonly ItemRun[]) {
    if (runs.length === 0) return html`<p class="quiet">${t('noRuns')}</p>`
    return html`<ul role="list" class="entries">${runs.map(
      (run) => html`<li>
        <div>
          <div>${t(kindOf(run), { count: run.changes })}${run.failed > 0 ? html` · ${t('refused', { count: run.failed })}` : nothing}</div>
          <div class="quiet"><cartulary-moment .value=${run.created}></cartulary-moment>${run.actor === null ? nothing : html` · <bdi>${run.actor}</bdi>`}</div>
        </div>
        ${this.undone?.runId === run.id ? renderUndone(this.undone.job) : nothing}
        ${run.isRevertible ? this.#renderUndo(run) : nothing}
      </li>`,
    )}</ul>`
  }

  #renderUndo({ id }: ItemRun) {
    const options = { size: 's', disabled: this.#undoing.isRunning } as const
    if (this.planned?.runId !== id)
      return button(t('undo'), { ...options, icon: 'undo', onClick: () => this.#plan(id) })
    const { total, undone, failures } = this.planned.plan
    return html`<div class="stack">
      <p><strong>${t('goBack', { count: undone })}</strong></p>
      <cartulary-failures .lead=${t('stay', { count: total - undone })} .failures=${failures}></cartulary-failures>
      <div class="row">
        ${undone > 0 ? button(t('undoNow'), { ...options, variant: 'brand', onClick: () => this.#undo(id) }) : nothing}
        ${button(t('cancel'), { ...options, onClick: () => (this.planned = undefined) })}
      </div>
    </div>`
  }

  #plan(runId: string): void {
    void this.#undoing.run(async () => {
      this.undone = undefined
      const plan = await planUndo(runId)
      this.planned = { runId, plan }
      announce(t('goBack', { count: plan.undone }))
    })
  }

  #undo(runId: string): void {
    void this.#undoing.run(async () => {
      this.planned = undefined
      const job = await revertRun(runId)
      this.undone = { runId, job }
      announce(sumOf(job))
    })
  }
}

/** Number of changes that are undone. */
function sumOf({ done, failures }: Job): string {
  return t('run_reverted', { count: done - failures.length })
}

function renderUndone(job: Job) {
  return html`<div class="stack"><p>${sumOf(job)}</p><cartulary-failures .failures=${job.failures}></cartulary-failures></div>`
}

function kindOf({ kind }: ItemRun): 'run_changed' | 'run_imported' | 'run_reverted' {
  if (kind === 'changeItems') return 'run_changed'
  return kind === 'importItemCategories' ? 'run_imported' : 'run_reverted'
}

customElements.define('cartulary-item-runs', ItemRuns)
