import '../schemas/plan-view.ts'
import '../schemas/schema-list.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { originsOf } from '../../../src/categories/merge/origins.ts'
import { ApiError, type Parameters } from '../api/call.ts'
import { loadDraft, saveDraft } from '../drafts/drafts.ts'
import { Action } from '../elements/action.ts'
import { announce } from '../elements/announce.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { PageElement } from '../elements/page-element.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, schemaPath, screenOf } from '../owners/owners.ts'
import type { ImportAnswer, PresentSchema } from '../schemas/answers.ts'
import { readPresent } from '../schemas/requests.ts'
import { wrapStyle } from '../schemas/wrap-style.ts'
import { post } from '../session/session.ts'
import type { ImportSource } from './import-source.ts'
import { planOf } from './plan-of.ts'
import { t } from './texts.ts'

interface Read {
  readonly present: PresentSchema
  readonly answer: ImportAnswer
}

/**
 * Preview of a file, as the server reads it, with its notes by row and the changes, before anything is written. Then it
 * becomes the draft, or is published immediately. Emits `leave` when the person goes back.
 */
class ImportPreview extends PageElement {
  static override styles = [
    fieldStyle,
    wrapStyle,
    css`
      .row-number {
        width: 6rem;
        white-space: nowrap;
      }
      pre {
        margin: 0;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
    `,
  ]

  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) source!: ImportSource
  /** Whether the browser had no space for the draft. */
  @state() isUnsaved = false
  /** Version that was created. */
  @state() published: number | undefined
  @query('cartulary-dialog-form') dialog!: DialogForm

  readonly #publication = new Action(this)
  readonly #read = new Task(this, {
    args: () => [this.source] as const,
    task: async ([source], { signal }): Promise<Read> => {
      const [present, answer] = await Promise.all([
        readPresent(this.owner, signal),
        this.#send<ImportAnswer>({ ...source.parameters, dryRun: true }, signal),
      ])
      return { present, answer }
    },
  })

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('h2')?.focus()
  }

  override render() {
    if (this.published !== undefined) return this.#renderPublished(this.published)
    return html`<div class="stack">
      <div class="row">
        <h2 tabindex="-1">${t('previewOf', { name: this.source.name })}</h2>
        <wa-button class="end" appearance="outlined" @click=${this.#leave}>${t('back')}</wa-button>
      </div>
      ${this.#read.render({
        pending: () => html`<cartulary-loading></cartulary-loading>
          <div><wa-button appearance="plain" @click=${this.#leave}>${t('cancel')}</wa-button></div>`,
        error: (error) => html`${error instanceof ApiError ? html`<p>${t('refused')}</p>` : nothing}
          <cartulary-problem .error=${error} can-retry @retry=${() => this.#read.run()}></cartulary-problem>`,
        complete: (read) => this.#renderRead(read),
      })}
    </div>`
  }

  #renderRead({ present, answer }: Read) {
    const { imported, categorySchema } = answer
    const { format, rows, notes } = imported
    const plan = planOf(answer)
    return html`<p>${t('readAs', { format: t(`format_${format}`), rows })} ${t('nothingWritten')}</p>
      ${
        notes.length > 0
          ? html`<section class="panel stack" aria-labelledby="notes">
              <h3 id="notes">${t('notes', { count: notes.length })}</h3>
              <table>
                <thead><tr><th scope="col" class="row-number">${t('row')}</th><th scope="col">${t('note')}</th></tr></thead>
                <tbody>${notes.map(
                  ({ row, uri, message }) => html`<tr>
                    <td class="row-number">${row ?? '–'}</td>
                    <td><span lang="en">${message}</span>${uri ? html`<div class="quiet"><bdi>${uri}</bdi></div>` : nothing}</td>
                  </tr>`,
                )}</tbody>
              </table>
            </section>`
          : nothing
      }
      <section class="panel stack" aria-labelledby="changes">
        <h3 id="changes">${t('changes')}</h3>
        ${plan ? html`<cartulary-plan .plan=${plan} .older=${present} .newer=${{ categorySchema }}></cartulary-plan>` : nothing}
      </section>
      <details class="panel">
        <summary>${t('wholeTree')}</summary>
        <cartulary-schema-list .categories=${categorySchema}></cartulary-schema-list>
      </details>
      <label class="field">
        <span>${t('comment')}</span>
        <textarea name="comment" maxlength="500" rows="2"></textarea>
      </label>
      <cartulary-problem .error=${this.#publication.error}></cartulary-problem>
      ${
        this.isUnsaved
          ? html`<wa-callout variant="danger" role="alert"><wa-icon slot="icon" name="warning"></wa-icon>${t('draftUnsaved')}</wa-callout>`
          : nothing
      }
      <div class="row">
        <wa-button variant="brand" @click=${() => this.#offerDraft()}>${t('toDraft')}</wa-button>
        <wa-button appearance="outlined" ?loading=${this.#publication.isRunning} @click=${() => this.#publish()}>${t('publishNow')}</wa-button>
      </div>
      <cartulary-dialog-form
        heading=${t('replaceDraftHeading')} action=${t('replaceDraft')} danger .work=${async () => this.#keepDraft()}
      ><p>${t('replaceDraftText')}</p></cartulary-dialog-form>`
  }

  #renderPublished(version: number) {
    return html`<wa-callout variant="success">
      <wa-icon slot="icon" name="check"></wa-icon>
      <div class="stack">
        <strong id="published" tabindex="-1">${t('published', { version })}</strong>
        <div class="row">
          <a href=${hrefTo(...screenOf(this.owner, 'Version', { version: String(version) }))}>${t('toVersion', { version })}</a>
          <a href=${hrefTo(...screenOf(this.owner, 'Schema'))}>${t('toEditor')}</a>
        </div>
      </div>
    </wa-callout>`
  }

  readonly #leave = () => this.dispatchEvent(new Event('leave'))

  #offerDraft(): void {
    if (loadDraft(this.owner)) this.dialog.open()
    else this.#keepDraft()
  }

  #keepDraft(): void {
    const read = this.#read.value
    if (!read) return
    const { present, answer } = read
    const now = Date.now()
    const isKept = saveDraft(this.owner, {
      categorySchema: answer.categorySchema,
      baseVersion: present.version ?? 0,
      origins: originsOf(present, answer),
      began: now,
      saved: now,
      comment: this.#comment,
    })
    this.isUnsaved = !isKept
    if (!isKept) return
    announce(t('inDraft'))
    goTo(hrefTo(...screenOf(this.owner, 'Review')))
  }

  get #comment(): string {
    return this.renderRoot.querySelector('textarea')?.value.trim() ?? ''
  }

  async #publish(): Promise<void> {
    const read = this.#read.value
    if (!read) return
    await this.#publication.run(async () => {
      const { version } = await this.#send<{ readonly version: number }>({
        ...this.source.parameters,
        dryRun: false,
        ifVersion: read.present.version,
        comment: this.#comment || undefined,
      })
      this.published = version
      announce(t('published', { version }))
      await this.updateComplete
      this.renderRoot.querySelector<HTMLElement>('#published')?.focus()
    })
  }

  #send<Answer>(parameters: Parameters, signal?: AbortSignal): Promise<Answer> {
    return post(`${schemaPath(this.owner)}/import`, parameters, signal)
  }
}

customElements.define('cartulary-import-preview', ImportPreview)
