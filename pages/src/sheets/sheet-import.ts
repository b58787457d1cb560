import './plan-view.ts'
import './sheet-file.ts'
import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { ApiError } from '../api/call.ts'
import { cancelJob, followJob, isUnended, type Job, undoRun } from '../content/bulk/follow-job.ts'
import { changedItems } from '../content/changed-items.ts'
import { Action } from '../elements/action.ts'
import { announce } from '../elements/announce.ts'
import { PageElement } from '../elements/page-element.ts'
import { Reading } from '../elements/reading.ts'
import { offerUndo } from '../elements/undo-message.ts'
import { tick } from '../forms/field.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { post } from '../session/session.ts'
import { withoutParameters } from '../tables/sentences.ts'
import { type BegunImport, defaultOptions, type SheetOptions, type SheetPlan } from './sheet-plan.ts'
import { t } from './texts.ts'

const importPath = '/content/categories/import'
const modes = ['set', 'add', 'remove'] as const

/** An edited table: what it would do, its application, and the outcome. */
class SheetImport extends PageElement {
  /** Group whose categories the table has; undefined for the organization. */
  @property() group: string | undefined
  @state() file: File | undefined
  @state() options: SheetOptions = defaultOptions
  /** The job, while it runs and afterwards. */
  @state() job: Job | undefined

  /** Titles of the items that were changed. */
  #titles: ReadonlyMap<string, string> = new Map()

  readonly #applying = new Action(this)
  readonly #cancelling = new Action(this)
  readonly #plan = new Reading(this, {
    args: () => [this.file, this.options, this.group] as const,
    task: async ([file, options, group], { signal }) => {
      if (!file) return undefined
      const plan = await post<SheetPlan>(importPath, { file, ...options, group, dryRun: true }, signal)
      announce(t('planned', { count: plan.summary.changed }))
      return plan
    },
  })

  override render() {
    const { file } = this
    return html`<section class="panel stack" aria-labelledby="upload">
      <h2 id="upload">${t('upload')}</h2>
      <p>${t('uploadText')}</p>
      <cartulary-sheet-file @chosen=${({ detail }: CustomEvent<File>) => this.#choose(detail)}></cartulary-sheet-file>
      ${this.job ? this.#renderJob(this.job) : nothing}
      ${file && !this.job ? this.#renderPreview(file) : nothing}
    </section>`
  }

  #choose(file: File): void {
    this.job = undefined
    this.options = { ...this.options, encoding: undefined }
    this.file = file
  }

  #change(change: Partial<SheetOptions>): void {
    this.options = { ...this.options, ...change }
  }

  #renderPreview({ name }: File) {
    return html`<h3><bdi>${name}</bdi></h3>
      ${this.#renderOptions()}
      ${this.#plan.render({
        initial: () => html`<cartulary-loading></cartulary-loading>`,
        pending: () => html`<cartulary-loading></cartulary-loading>`,
        error: (error) => this.#renderRefusal(error),
        complete: (plan) => plan && this.#renderPlan(plan),
      })}`
  }

  #renderOptions() {
    const { mode, onUnknown, ifUnchanged } = this.options
    return html`<fieldset class="stack">
      <legend>${t('mode')}</legend>
      ${modes.map((each) =>
        tick(t(`mode_${each}`), each === mode, {
          type: 'radio',
          name: 'mode',
          onChange: () => this.#change({ mode: each }),
        }),
      )}
      </fieldset>
      ${tick(t('skipUnknown'), onUnknown === 'skip', {
        onChange: (ticked) => this.#change({ onUnknown: ticked ? 'skip' : 'refuse' }),
      })}
      ${tick(t('overwrite'), !ifUnchanged, {
        onChange: (ticked) => this.#change({ ifUnchanged: !ticked }),
      })}`
  }

  #renderRefusal(error: unknown) {
    if (!(error instanceof ApiError && error.code === 400)) {
      return html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#plan.run()}></cartulary-problem>`
    }
    const sentences = [...new Set([...error.details, error.message])]
    const isOtherEncoding = sentences.some((sentence) => sentence.includes('encoding=windows-1252'))
    return html`<wa-callout variant="danger" role="alert">
      <wa-icon slot="icon" name="warning"></wa-icon>
      <div class="stack">
        <strong>${t('unreadable')}</strong>
        <ul lang="en" dir="ltr">${sentences.map((sentence) => html`<li><bdi>${withoutParameters(sentence)}</bdi></li>`)}</ul>
        ${
          isOtherEncoding
            ? html`<div><wa-button size="s" appearance="outlined" @click=${() => this.#change({ encoding: 'windows-1252' })}
                >${t('readAsWindows1252')}</wa-button></div>`
            : nothing
        }
      </div>
    </wa-callout>`
  }

  #renderPlan(plan: SheetPlan) {
    const { changed } = plan.summary
    return html`<cartulary-sheet-plan .plan=${plan}></cartulary-sheet-plan>
      <cartulary-problem .error=${this.#applying.error}></cartulary-problem>
      <div class="row">
        <wa-button variant="brand" ?disabled=${changed === 0} ?loading=${this.#applying.isRunning} @click=${() => this.#apply(plan)}
          >${t('apply', { count: changed })}</wa-button>
        ${changed === 0 ? html`<span class="quiet">${t('nothingToApply')}</span>` : nothing}
      </div>`
  }

  #renderJob({ id, done, total, state, failures }: Job) {
    if (isUnended({ state })) {
      return html`<div><progress aria-label=${t('progress')} max=${total} .value=${done}></progress>
        <p>${t('progressOf', { done, total })}</p></div>
        <div><wa-button appearance="plain" @click=${() => this.#cancelling.run(() => cancelJob(id))}>${t('cancel')}</wa-button></div>
        <cartulary-problem .error=${this.#applying.error ?? this.#cancelling.error}></cartulary-problem>`
    }
    return html`<div role="status" class="stack">
      <p><strong>${t(state === 'failed' || state === 'cancelled' ? 'notCompleted' : 'applied')}</strong></p>
      ${
        failures.length === 0
          ? nothing
          : html`<p>${t('head_refused', { count: failures.length })}</p>
              <ul>${failures.map(
                ({ itemId, message }) =>
                  html`<li>${
                    itemId === undefined
                      ? nothing
                      : html`<a href=${hrefTo('item', { item: itemId })}><bdi>${this.#titles.get(itemId) ?? itemId}</bdi></a>: `
                  }<span lang="en">${message}</span></li>`,
              )}</ul>`
      }
    </div>`
  }

  #apply(plan: SheetPlan): void {
    const { file, options, group } = this
    if (!file) return
    this.#titles = new Map(plan.changes.map(({ itemId, title }) => [itemId, title]))
    void this.#applying.run(async (signal) => {
      const parameters = { file, ...options, group, dryRun: false, plan: plan.id }
      const { id, total } = await post<BegunImport>(importPath, parameters)
      this.job = { id, state: 'running', done: 0, total, failures: [] }
      const { done, failures } = await followJob(
        id,
        (job) => {
          this.job = job
        },
        signal,
      )
      announce(t('applied'))
      changedItems.emit()
      if (done > failures.length) {
        offerUndo(t('applied'), async () => {
          await undoRun(id)
          // Rows of the file are older than the change and its undoing.
          if (this.job?.id === id) {
            this.job = undefined
            this.file = undefined
          }
        })
      }
    })
  }
}

customElements.define('cartulary-sheet-import', SheetImport)
