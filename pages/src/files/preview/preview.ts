import { Action, announce, button, PageElement } from '../../elements/page.ts'
import './reading-options.ts'
import { Task, TaskStatus } from '@lit/task'
import { css, html, nothing, type PropertyValues } from 'lit'
import { property, state } from 'lit/decorators.js'
import { matchesOf } from '../../../../src/categories/merge/side.ts'
import type { Move } from '../../../../src/categories/moves.ts'
import { draftPlace, loadDraft } from '../../drafts/drafts.ts'
import { textField } from '../../elements/fields.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { limitsOf, type SchemaOwner, schemaPath, screenOf } from '../../owners/owners.ts'
import { renderDone, renderWhatNext } from '../../publication/published.ts'
import type { Branch, FileReading, SuggestedMove } from '../../schemas/answers.ts'
import { post } from '../../session/session.ts'
import type { ImportSource } from '../../tables/import-source.ts'
import { inWindows1252, isReadAsWindows1252 } from '../../tables/reading-choices.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'
import { addSuggestions, changeChoices, firstChoices, type ImportChoices, parametersOf } from './choices.ts'
import {
  type Accepted,
  describeReading,
  type Outcome,
  planOf,
  readFile,
  readingOf,
  writtenParameters,
} from './outcome.ts'
import { listRemovals, renderReadResult, renderRefusal, renderRemovals } from './read-result.ts'
import { renderRepeatCall } from './repeat-call.ts'

/**
 * Preview of a file: how the server reads it, with the choices that a person has, and what it would change. Each choice has it read
 * again; nothing is written. Then it becomes the draft, or is published immediately. Emits `leave` when the person goes back.
 */
class ImportPreview extends PageElement {
  static override styles = css`
    .busy {
      opacity: 0.6;
    }
    .status {
      min-height: 1.5rem;
    }
    pre {
      margin: 0;
      font-size: 0.875rem;
      text-align: left;
    }
  `

  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) source!: ImportSource
  @state() choices!: ImportChoices
  /** Latest outcome that there was; it stays while the file is read again. */
  @state() outcome: Outcome | undefined
  /** Whether the removed categories were seen, or publishing was wanted without. */
  @state() removals: 'unseen' | 'missed' | 'seen' = 'unseen'
  /** Whether the browser had no space for the draft. */
  @state() isUnsaved = false
  /** Version that was created. */
  @state() published: number | undefined

  /** Facts of former readings, which choices are made among. */
  #reading: FileReading | undefined
  #language: string | undefined
  #branches: readonly Branch[] = []
  #moves: readonly Move[] = []
  #suggestions: readonly SuggestedMove[] = []

  readonly #publication = new Action(this)
  readonly #read = new Task(this, {
    args: () => [this.source, this.choices] as const,
    task: async ([source, choices], { signal }) => {
      // The language that was found is asked for from then on, so that it stays.
      const parameters = { language: this.#language, ...parametersOf(source, choices) }
      const outcome = await readFile(this.owner, parameters, signal)
      signal.throwIfAborted()
      if ('refusal' in outcome && isReadAsWindows1252(outcome.refusal.sentences)) this.#change(inWindows1252)
      else this.#keep(outcome, choices)
    },
  })

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('source')) this.choices = firstChoices(this.source)
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('h2')?.focus()
  }

  override render() {
    if (this.published !== undefined) return this.#renderPublished(this.published)
    const { outcome } = this
    const isBusy = this.#read.status === TaskStatus.PENDING
    return html`<div class="stack">
      <div class="row">
        <h2 tabindex="-1">${t('previewOf', { name: this.source.name })}</h2>
        ${button(t('back'), { class: 'end', onClick: this.#leave })}
      </div>
      ${outcome && 'answer' in outcome ? this.#renderRemovals(outcome) : nothing}
      ${outcome ? this.#renderLine(outcome, isBusy) : nothing}
      ${this.#read.status === TaskStatus.ERROR ? html`<cartulary-problem .error=${this.#read.error} can-retry @retry=${() => this.#read.run()}></cartulary-problem>` : nothing}
      ${outcome && 'refusal' in outcome ? renderRefusal(outcome, limitsOf(this.owner), this.#readAsWindows1252) : nothing}
      ${outcome ? this.#renderOptions(outcome) : nothing}
      ${outcome && 'answer' in outcome ? this.#renderAccepted(outcome, isBusy) : nothing}
      ${!outcome && isBusy ? html`<cartulary-loading></cartulary-loading>` : nothing}
    </div>`
  }

  #renderLine(outcome: Outcome, isBusy: boolean) {
    return html`<p class="status" aria-busy=${isBusy}>
      ${isBusy ? html`<wa-spinner aria-hidden="true"></wa-spinner> ${t('readingAgain')}` : html`${describeReading(outcome)} ${t('nothingWritten')}`}
    </p>`
  }

  #renderOptions(outcome: Outcome) {
    return html`<section class="panel" aria-label=${t('options')}>
      <cartulary-reading-options
        .choices=${this.choices} .outcome=${outcome} .reading=${this.#reading} .language=${this.#language} .branches=${this.#branches}
        ?is-file=${this.source.parameters['file'] !== undefined}
        @changed=${({ detail }: CustomEvent<Partial<ImportChoices>>) => this.#change(detail)}
      ></cartulary-reading-options>
    </section>`
  }

  #renderRemovals({ answer }: Accepted) {
    const plan = planOf(answer)
    const listed = plan ? listRemovals(plan) : []
    if (!plan || (listed.length === 0 && plan.impact.vanishing === 0)) return nothing
    return renderRemovals({
      removals: listed,
      vanishing: plan.impact.vanishing,
      isSeen: this.removals === 'seen',
      isMissed: this.removals === 'missed',
      onSeen: (isSeen) => (this.removals = isSeen ? 'seen' : 'unseen'),
    })
  }

  #renderAccepted(accepted: Accepted, isBusy: boolean) {
    const { parameters, answer } = accepted
    const { file } = parameters
    const path = `${schemaPath(this.owner)}/import`
    const repeated = writtenParameters(accepted)
    const nameOfText = `categories.${answer.imported.format === 'csv' ? 'txt' : answer.imported.format}`
    const renames = { moves: this.#moves, suggestions: this.#suggestions, confirmed: this.choices.moves }
    return html`<div class=${isBusy ? 'busy' : ''} aria-busy=${isBusy}>
        ${renderReadResult(accepted, { ...renames, onConfirmed: (confirmed) => this.#confirm(confirmed) })}
      </div>
      ${textField('comment', t('comment'), { rows: 2, max: 500 })}
      ${renderRepeatCall({ path, file: file instanceof File ? file.name : nameOfText, isText: !(file instanceof File), parameters: repeated })}
      <div class="sticky stack">
        <cartulary-problem .error=${this.#publication.error}></cartulary-problem>
        ${this.isUnsaved ? html`<wa-callout variant="danger" role="alert"><wa-icon slot="icon" name="warning"></wa-icon>${t('draftUnsaved')}</wa-callout>` : nothing}
        <div class="row">
          ${button(t('toDraft'), { variant: 'brand', disabled: isBusy, onClick: () => this.#offerDraft() })}
          ${
            planOf(answer)?.changes.length === 0
              ? nothing
              : button(t('publishNow'), {
                  disabled: isBusy,
                  loading: this.#publication.isRunning,
                  onClick: () => this.#publish(accepted),
                })
          }
        </div>
      </div>
      <cartulary-dialog-form
        heading=${t('replaceDraftHeading')} action=${t('replaceDraft')} danger .work=${async () => this.#keepDraft()}
      ><p>${t('replaceDraftText')}</p></cartulary-dialog-form>`
  }

  #renderPublished(version: number) {
    const links = [
      [hrefTo(...screenOf(this.owner, 'Version', { version: String(version) })), t('toVersion', { version })],
      [hrefTo(...screenOf(this.owner, 'Schema')), t('toEditor')],
    ] as const
    return html`<div class="stack">
      ${renderDone(t('published', { version }), links)} ${renderWhatNext(this.owner, version)}
    </div>`
  }

  readonly #leave = () => this.dispatchEvent(new Event('leave'))

  /** The button is removed by it. */
  readonly #readAsWindows1252 = () => {
    this.#change(inWindows1252)
    this.focus()
  }

  #change(change: Partial<ImportChoices>): void {
    this.choices = changeChoices(this.choices, change)
  }

  /** Sends confirmed renames with those that the file says, which the server would leave out otherwise. */
  #confirm(confirmed: readonly Move[]): void {
    const known = new Set(this.#moves.map(({ from }) => from))
    const others = confirmed.filter(({ from }) => !known.has(from))
    this.choices = { ...this.choices, moves: others.length > 0 ? [...this.#moves, ...others] : [] }
  }

  #keep(outcome: Outcome, choices: ImportChoices): void {
    const isWhole = choices.root === undefined && choices.depth === undefined
    this.#reading = readingOf(outcome) ?? this.#reading
    if ('answer' in outcome) {
      const { imported, suggestions = [] } = outcome.answer
      this.#language = imported.language ?? this.#language
      const isFirst = choices.moves.length === 0
      this.#moves = isFirst ? (imported.moves ?? []) : this.#moves
      this.#suggestions = addSuggestions(isFirst ? [] : this.#suggestions, suggestions, choices.moves)
      if (isWhole) this.#branches = []
    } else {
      this.#branches = outcome.branches ?? (isWhole ? [] : this.#branches)
    }
    this.outcome = outcome
    this.removals = 'unseen'
    this.isUnsaved = false
    announce('answer' in outcome ? describeReading(outcome) : t('refused'))
  }

  #offerDraft(): void {
    if (loadDraft(this.owner)) void this.openDialog()
    else this.#keepDraft()
  }

  #keepDraft(): void {
    const { outcome } = this
    if (!outcome || 'refusal' in outcome) return
    const { present, answer } = outcome
    const moves = this.choices.moves.length > 0 ? this.choices.moves : this.#moves
    const now = Date.now()
    const { kept } = loadDraft(this.owner) ?? {}
    const isKept = draftPlace(this.owner).save({
      categorySchema: answer.categorySchema,
      baseVersion: present.version ?? 0,
      origins: matchesOf(present, answer, moves).map((match) => match?.path ?? null),
      began: now,
      saved: now,
      moves,
      comment: this.#comment,
      // That of this browser gets the next revision on the server.
      kept: kept?.isOwn ? kept : undefined,
    })
    this.isUnsaved = !isKept
    if (!isKept) return
    announce(t('inDraft'))
    goTo(hrefTo(...screenOf(this.owner, 'Review')))
  }

  get #comment(): string {
    return this.renderRoot.querySelector('textarea')?.value.trim() ?? ''
  }

  async #publish(accepted: Accepted): Promise<void> {
    const removals = this.renderRoot.querySelector<HTMLInputElement>('[name=seen]')
    if (removals && this.removals !== 'seen') {
      this.removals = 'missed'
      removals.focus()
      return
    }
    await this.#publication.run(async () => {
      const { version } = await post<{ readonly version: number }>(`${schemaPath(this.owner)}/import`, {
        ...writtenParameters(accepted),
        comment: this.#comment || undefined,
      })
      this.published = version
      announce(t('published', { version }))
      await this.focusOn('#done')
    })
  }
}

customElements.define('cartulary-import-preview', ImportPreview)
