import { Action, announce, button, PageElement } from '../../elements/page.ts'
import '../../forms/secret.ts'
import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { saveFile } from '../../elements/save-file.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { callForFile, post } from '../../session/session.ts'
import { formatMoment } from '../../texts/formats.ts'
import { ofCollaborations as t } from '../../texts/rooms.ts'
import { collaborationPath, nameResponse } from '../records.ts'
import { maxFileLength } from './partner-file.ts'
import { keyStyle, renderVerdict } from './render-verdict.ts'
import { FileRefused, judgeFile, type Verdict } from './verdict.ts'

/** An invitation of another organization that this one has accepted. */
interface Accepted {
  readonly name: 'accepted'
  readonly collaborationId: string
  /** The response; undefined until it is saved. */
  readonly file: Blob | undefined
  readonly fileName: string
}

/** A response of a guest that is imported. */
interface Imported {
  readonly name: 'imported'
  readonly collaborationId: string
  readonly guest: string
}

type Step =
  | { readonly name: 'waiting' }
  | { readonly name: 'judging' }
  | { readonly name: 'refused'; readonly refusal: FileRefused }
  | { readonly name: 'judged'; readonly verdict: Verdict }
  | Accepted
  | Imported

/**
 * Takes files of partners, dropped anywhere into the window or chosen by a button: has them validated, shows their contents and
 * the key that signed them, and accepts or imports them on confirmation. Emits `changed` after that.
 */
class PartnerFiles extends PageElement {
  static override styles = [
    keyStyle,
    css`
    .over {
      position: fixed;
      inset: 0;
      z-index: 20;
      display: grid;
      place-items: center;
      border: 4px dashed var(--wa-color-brand-fill-loud);
      background: color-mix(in srgb, var(--wa-color-surface-default) 85%, transparent);
      font-size: 1.25rem;
      font-weight: 600;
      pointer-events: none;
    }
  `,
  ]

  @state() step: Step = { name: 'waiting' }
  @state() file: File | undefined
  /** Why a file could not be judged. */
  @state() error: unknown
  /** Whether files are dragged over the window now. */
  @state() isOver = false

  readonly #action = new Action(this)
  #stop = new AbortController()
  #left = new AbortController()

  override connectedCallback(): void {
    super.connectedCallback()
    this.#left = new AbortController()
    const { signal } = this.#left
    window.addEventListener('dragover', this.#over, { signal })
    window.addEventListener('dragleave', (event) => (this.isOver &&= event.relatedTarget !== null), { signal })
    window.addEventListener('drop', this.#drop, { signal })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#left.abort()
    this.#stop.abort()
  }

  readonly #over = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    this.isOver = true
  }

  readonly #drop = (event: DragEvent): void => {
    this.isOver = false
    const [file] = event.dataTransfer?.files ?? []
    if (!file) return
    event.preventDefault()
    void this.#judge(file)
  }

  override render() {
    return html`<section class="panel stack" aria-labelledby="head">
      <h2 id="head" tabindex="-1">${this.#heading()}</h2>
      ${this.#renderStep()}
      <cartulary-problem .error=${this.error ?? this.#action.error}></cartulary-problem>
      <input id="choice" type="file" accept=".invite,.response,.json" aria-label=${t('openFile')} hidden @change=${this.#choose}>
    </section>
    ${this.isOver ? html`<div class="over">${t('dropHere')}</div>` : nothing}`
  }

  #heading(): string {
    const { step } = this
    if (step.name === 'judging') return t('validating')
    if (step.name === 'refused') return t('fileRefused')
    if (step.name === 'accepted') return t('accepted_heading')
    if (step.name === 'imported') return t('imported_heading', { name: step.guest })
    if (step.name === 'judged') {
      const { verdict } = step
      if (verdict.key.state === 'changed') return t(verdict.key.atUrl ? 'changedPortal' : 'changedKey')
      return verdict.kind === 'invitation'
        ? t('invitationFrom', { name: verdict.request.hostPortalName })
        : t('responseFrom', { name: verdict.response.guestPortalName })
    }
    return t('partnerFile')
  }

  #renderStep() {
    const { step } = this
    if (step.name === 'waiting') {
      return html`<p>${t('partnerFileText')}</p><div class="row">${this.#renderChoice()}</div>`
    }
    if (step.name === 'judging') {
      return html`<cartulary-loading></cartulary-loading>
        <div>${button(t('cancel'), { size: 's', onClick: this.#cancel })}</div>`
    }
    if (step.name === 'refused') return this.#renderRefusal(step.refusal)
    if (step.name === 'judged') {
      return renderVerdict(step.verdict, {
        isBusy: this.#action.isRunning,
        confirm: (contact) => this.#go(contact),
        cancel: () => this.#cancel(),
      })
    }
    if (step.name === 'accepted') {
      const { file, fileName } = step
      return html`${file ? html`<wa-callout variant="success"><wa-icon slot="icon" name="check"></wa-icon>${t('accepted_text', { file: fileName })}</wa-callout>` : nothing}
        <ol class="stack">
          <li>${t('todo_answer', { file: fileName })}</li>
          <li><cartulary-own-key label=${t('todo_compareAnswer')}></cartulary-own-key></li>
          <li>${t('todo_link')}</li>
        </ol>
        <p class="quiet">${t('notCopied')}</p>
        <div class="row">
          ${button(file ? t('saveAgain') : t('saveResponse'), { icon: 'download', variant: file ? 'neutral' : 'brand', appearance: file ? 'outlined' : 'accent', loading: this.#action.isRunning, onClick: () => (file ? saveFile(file, fileName) : this.#saveResponse(step)) })}
          <a href=${hrefTo('collaboration', { collaboration: step.collaborationId })}>${t('openCollaboration')}</a>
          ${this.#renderChoice()}
        </div>`
    }
    return html`<wa-callout variant="success"><wa-icon slot="icon" name="check"></wa-icon>${t('imported_text')}</wa-callout>
      <p>${t('todo_link')}</p>
      <p class="quiet">${t('notCopied')}</p>
      <div class="row">
        <a href=${hrefTo('collaboration', { collaboration: step.collaborationId })}>${t('openCollaboration')}</a>
        ${this.#renderChoice()}
      </div>`
  }

  #renderChoice() {
    return button(t('openFile'), {
      icon: 'upload',
      onClick: () => this.renderRoot.querySelector<HTMLInputElement>('#choice')?.click(),
    })
  }

  #renderRefusal(refusal: FileRefused) {
    const { problem, answer, causeInRecord } = refusal
    return html`<p><bdi>${this.file?.name}</bdi></p>
      ${
        problem
          ? html`<wa-callout variant="danger" role="alert"
              ><wa-icon slot="icon" name="warning"></wa-icon>${t(`problem_${problem}`, { maximum: maxFileLength })}</wa-callout>`
          : nothing
      }
      ${
        causeInRecord
          ? html`<wa-callout variant="danger" role="alert">
              <wa-icon slot="icon" name="warning"></wa-icon><strong>${t(`cause_${causeInRecord.kind}`, { at: formatMoment(causeInRecord.at), username: causeInRecord.username ?? '' })}</strong>
              <p>${t(`afterwards_${causeInRecord.kind}`)}</p>
            </wa-callout>`
          : nothing
      }
      <cartulary-problem .error=${answer}></cartulary-problem>
      <div class="row">
        ${this.#renderChoice()}
        ${button(t('close'), { appearance: 'plain', onClick: this.#cancel })}
      </div>`
  }

  #choose(event: Event): void {
    const input = event.target as HTMLInputElement
    const [file] = input.files ?? []
    input.value = ''
    if (file) void this.#judge(file)
  }

  async #judge(file: File): Promise<void> {
    this.#stop.abort()
    this.#stop = new AbortController()
    const { signal } = this.#stop
    this.file = file
    this.#forget()
    this.step = { name: 'judging' }
    try {
      this.step = { name: 'judged', verdict: await judgeFile(file, signal) }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof FileRefused) this.step = { name: 'refused', refusal: error }
      else {
        this.step = { name: 'waiting' }
        this.error = error
      }
    }
    await this.focusOn('#head')
  }

  async #go(contact: Readonly<Record<string, string>>): Promise<void> {
    const { step, file } = this
    if (step.name !== 'judged' || !file) return
    await this.#action.run(async () => {
      this.step = await acceptOrImport(step.verdict, file, contact)
      announce(this.#heading())
      this.dispatchEvent(new Event('changed'))
      await this.focusOn('#head')
    })
    if (this.step.name === 'accepted') await this.#saveResponse(this.step)
  }

  /** Saves the response as a separate step: the invitation is accepted once, although saving may be retried. */
  async #saveResponse(step: Accepted): Promise<void> {
    await this.#action.run(async () => {
      const path = `${collaborationPath(step.collaborationId)}/exportInvitationResponse`
      const file = await callForFile(path, {}, { method: 'POST' })
      saveFile(file, step.fileName)
      if (this.step === step) this.step = { ...step, file }
    })
    if (this.step.name !== 'accepted') this.#action.forget()
  }

  #forget(): void {
    this.error = undefined
    this.#action.forget()
  }

  #cancel(): void {
    this.#stop.abort()
    this.file = undefined
    this.#forget()
    this.step = { name: 'waiting' }
    void this.focusOn('#head')
  }
}

/** Accepts the invitation, or imports the response. */
async function acceptOrImport(
  verdict: Verdict,
  file: Blob,
  contact: Readonly<Record<string, string>>,
): Promise<Accepted | Imported> {
  const acceptNewKey = verdict.key.state === 'changed'
  if (verdict.kind === 'response') {
    const { collaborationId, guestPortalName } = verdict.response
    const path = `${collaborationPath(collaborationId)}/importInvitationResponse`
    await post(path, { invitationResponseFile: file, acceptNewKey })
    return { name: 'imported', collaborationId, guest: guestPortalName }
  }
  const { collaborationId } = await post<{ readonly collaborationId: string }>(
    '/portals/self/acceptCollaborationInvitation',
    { invitationFile: file, acceptNewKey, ...contact },
  )
  return { name: 'accepted', collaborationId, file: undefined, fileName: nameResponse(verdict.request.guestPortalUrl) }
}

customElements.define('cartulary-partner-files', PartnerFiles)
