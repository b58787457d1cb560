import { choice, field, radios, textOf, tick } from '../../elements/fields.ts'
import { Action, announce, button, PageElement } from '../../elements/page.ts'
import { PersonSuggestions } from '../../forms/person-suggestions.ts'
import '../../picker/category-picker.ts'
import './failures.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { CategorySchema } from '../../../../src/categories/schema.ts'
import { delayed, offerUndo } from '../../elements/undo-message.ts'
import type { CategoryPicker } from '../../picker/category-picker.ts'
import { call, post } from '../../session/session.ts'
import { changedItems, undoRun } from '../changed-items.ts'
import '../sharing/audience-preview.ts'
import { type BegunJob, cancelJob, followJob, type Job, throwFirst } from '../../session/job.ts'
import { ofContentBulk as t } from '../../texts/rooms.ts'
import type { ItemLevel } from '../sharing/audience.ts'
import type { SharingGroup } from '../sharing/audience-preview.ts'
import {
  type BulkAction,
  type BulkChange,
  countOf,
  listsOf,
  parametersOf,
  splitTags,
  type Target,
} from './bulk-change.ts'

/** Characters of parameters that a call may have to outlast its page, for the browser. */
const maxKept = 60_000

const noTitles: ReadonlyMap<string, string> = new Map()

const levels = ['', 'private', 'org', 'public'] as const

/** One change of the chosen items: its fields, its progress, and its outcome. Emits `close`. */
class BulkPanel extends PageElement {
  @property({ attribute: false }) target!: Target
  @property() action!: BulkAction
  @property({ attribute: false }) schema: CategorySchema | undefined
  /** Group whose categories are changed; undefined for the organization. */
  @property() group: string | undefined
  @state() mode: 'add' | 'remove' = 'add'
  @state() paths: readonly string[] = []
  @state() tags: readonly string[] = []
  @state() level: ItemLevel | undefined
  @state() groups: readonly string[] = []
  @state() owner = ''
  /** The job, while it runs and afterwards. */
  @state() job: Job | undefined

  readonly #sending = new Action(this)
  readonly #people = new PersonSuggestions(this, 'disabled:"false"')

  readonly #own = new Task(this, {
    args: () => [this.action] as const,
    task: async ([action], { signal }) => {
      if (action !== 'sharing') return []
      return (await call<{ readonly groups: readonly SharingGroup[] }>('/community/self', {}, { signal })).groups
    },
  })

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('h2')?.focus()
  }

  override render() {
    const { action, job } = this
    const isRunning = this.#sending.isRunning
    return html`<section class="panel stack" aria-labelledby="head">
      <h2 id="head" tabindex="-1">${t(`head_${action}`, { count: countOf(this.target) })}</h2>
      ${this.#renderFields()}
      ${
        isRunning && job
          ? html`<div><progress aria-label=${t('progress')} max=${job.total} .value=${job.done}></progress>
              <p>${t('progressOf', { done: job.done, total: job.total })}</p></div>`
          : nothing
      }
      ${job && !isRunning ? this.#renderOutcome(job) : nothing}
      <cartulary-problem .error=${this.#sending.error}></cartulary-problem>
      <div class="row">
        ${button(action === 'delete' ? t('act_delete') : t('apply'), { variant: action === 'delete' ? 'danger' : 'brand', disabled: this.#readChange() === undefined, loading: isRunning, onClick: () => (action === 'delete' ? this.#delete() : this.#go()) })}
        ${button(isRunning ? t('cancel') : t('close'), { appearance: 'plain', onClick: this.#close })}
      </div>
    </section>`
  }

  #renderFields() {
    switch (this.action) {
      case 'categories':
        return html`${this.#renderModes()}
          <cartulary-category-picker
            multiple label=${t('categories')} .schema=${this.schema} .value=${this.paths}
            @change=${(event: Event) => (this.paths = (event.target as CategoryPicker).value)}
          ></cartulary-category-picker>`
      case 'tags':
        return html`${this.#renderModes()}
          ${field('', t('tags'), { hint: t('tagsText'), onInput: (event) => (this.tags = splitTags(textOf(event))) })}`
      case 'sharing':
        return this.#renderSharing()
      case 'owner':
        return html`${field('owner', t('newOwner'), { list: 'people', isCode: true, onInput: this.#nameOwner, hint: this.#people.renderNameOr('') })}
          ${this.#people.renderList('people')}`
      case 'delete':
        return html`<p>${t('deleteText')}</p>`
    }
  }

  #nameOwner(event: Event): void {
    this.owner = textOf(event).trim()
    void this.#people.suggest(event)
  }

  #renderModes() {
    const wordsOf = (mode: 'add' | 'remove') => t(`${mode}_${this.action as 'categories' | 'tags' | 'sharing'}`)
    return html`<div class="row" role="radiogroup" aria-label=${t('whatToDo')}>
      ${radios('mode', ['add', 'remove'] as const, wordsOf, this.mode, (mode) => (this.mode = mode))}
    </div>`
  }

  #renderSharing() {
    const groups = (this.#own.value ?? []).filter(
      ({ isViewOnly, userMembership: { memberType } }) =>
        this.mode === 'remove' || !isViewOnly || memberType === 'owner' || memberType === 'admin',
    )
    return html`${choice('', t('level'), levels, (level) => t(`level_${level || 'same'}`), '', { onChange: (level) => (this.level = level || undefined) })}
      ${
        groups.length === 0
          ? nothing
          : html`<fieldset class="stack">
              <legend>${t('groups')}</legend>
              ${this.#renderModes()}
              <div class="scrolled">${groups.map(({ id, title }) =>
                tick(html`<bdi>${title}</bdi>`, this.groups.includes(id), {
                  onChange: (ticked) => {
                    const others = this.groups.filter((other) => other !== id)
                    this.groups = ticked ? [...others, id] : others
                  },
                }),
              )}</div>
            </fieldset>`
      }
      <cartulary-audience-preview
        .level=${this.level} .groups=${this.mode === 'add' ? groups.filter(({ id }) => this.groups.includes(id)) : []}
      ></cartulary-audience-preview>`
  }

  #renderOutcome({ done, state, failures }: Job) {
    const ofItems = failures.filter(({ itemId }) => itemId !== undefined)
    return html`<div role="status" class="stack">
      <p>${t('changed', { count: done - ofItems.length })}${state === 'cancelled' ? html` ${t('cancelled')}` : nothing}</p>
      <cartulary-failures
        .failures=${failures} .titles=${this.target.kind === 'items' ? this.target.titles : noTitles} ?can-categorize=${this.group === undefined && this.schema !== undefined}
        @categorize=${({ detail }: CustomEvent<ReadonlyMap<string, string>>) => {
          this.job = undefined
          this.target = { kind: 'items', titles: detail }
          this.action = 'categories'
          this.mode = 'add'
          void this.updateComplete.then(() => this.renderRoot.querySelector('h2')?.focus())
        }}
      ></cartulary-failures>
    </div>`
  }

  /** The change that the fields describe; undefined while something is missing. */
  #readChange(): BulkChange | undefined {
    const { mode, paths, tags, level, groups, owner } = this
    switch (this.action) {
      case 'categories':
        return paths.length > 0 ? { categories: listsOf(mode, paths) } : undefined
      case 'tags':
        return tags.length > 0 ? { tags: listsOf(mode, tags) } : undefined
      case 'sharing':
        if (!level && groups.length === 0) return undefined
        return { ...(level && { access: level }), ...(groups.length > 0 && { groups: listsOf(mode, groups) }) }
      case 'owner':
        return owner ? { owner } : undefined
      case 'delete':
        return { delete: true }
    }
  }

  #parametersOf(change: BulkChange) {
    // The preview has said that members of such groups may change the items.
    const confirmItemControl =
      (this.#own.value ?? []).some(
        ({ id, capabilities }) => capabilities.includes('updateitemcontrol') && this.groups.includes(id),
      ) || undefined
    return { ...parametersOf(this.target, change, this.group), confirmItemControl }
  }

  #go(): void {
    const change = this.#readChange()
    if (!change) return
    void this.#sending.run(async (signal) => {
      this.job = undefined
      const { jobId, total } = await post<BegunJob>('/content/changeItems', this.#parametersOf(change))
      this.job = { id: jobId, state: 'running', done: 0, total, failures: [] }
      const job = await followJob(jobId, (job) => (this.job = job), signal)
      const text = t('changed', { count: job.done - job.failures.length })
      announce(text)
      changedItems.emit()
      if (job.done > job.failures.length) {
        offerUndo(text, () =>
          undoRun(jobId, () => {
            // An undone change is no outcome.
            if (this.job === job) this.job = undefined
          }),
        )
      }
    })
  }

  /** Deletes after ten seconds, wherever the person is then. */
  #delete(): void {
    const count = countOf(this.target)
    const parameters = this.#parametersOf({ delete: true })
    const keepalive = JSON.stringify(parameters).length < maxKept
    void delayed(t('deleting', { count }), async () => {
      const { jobId } = await call<BegunJob>('/content/changeItems', parameters, { method: 'POST', keepalive })
      const { failures, done } = await followJob(jobId, () => {})
      announce(t('deleted', { count: done - failures.length }))
      changedItems.emit()
      throwFirst(failures)
    })
    this.#emitClose()
  }

  /** Closes; while the job runs, only cancels what it has not done yet. */
  #close(): void {
    const { job } = this
    if (this.#sending.isRunning && job) void cancelJob(job.id).catch(() => {})
    else this.#emitClose()
  }

  #emitClose(): void {
    this.dispatchEvent(new Event('close'))
  }
}

customElements.define('cartulary-bulk-panel', BulkPanel)
