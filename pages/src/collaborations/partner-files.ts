import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import '../elements/moment.ts'
import '../elements/problem.ts'
import '../elements/states.ts'
import { css, html, nothing } from 'lit'
import { collaborationLimits } from '../../../src/collaborations/collaboration.ts'
import { announce } from '../elements/announce.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { readFields, reportFields } from '../elements/fields.ts'
import { PageElement } from '../elements/page-element.ts'
import { saveFile } from '../elements/save-file.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call, callForFile } from '../session/session.ts'
import { formatMoment } from '../texts/formats.ts'
import { longestFile } from './partner-file.ts'
import { collaborationPath } from './records.ts'
import type { Cause } from './refusal.ts'
import { nameResponse } from './response-file.ts'
import { textField } from './text-field.ts'
import { t } from './texts.ts'
import { FileRefused, judgeFile, type Verdict } from './verdict.ts'

interface Accepted {
  readonly name: 'accepted'
  readonly collaborationId: string
  /** The response; undefined until it is saved. */
  readonly file: Blob | undefined
  readonly fileName: string
}

type Step =
  | { readonly name: 'waiting' }
  | { readonly name: 'judging' }
  | { readonly name: 'refused'; readonly refusal: FileRefused }
  | { readonly name: 'judged'; readonly verdict: Verdict }
  | Accepted
  | { readonly name: 'imported'; readonly collaborationId: string; readonly guest: string }

/**
 * Takes files of partners, dropped anywhere into the window or chosen by a button: has them validated, shows what they say and
 * whose key signed them, and accepts or imports them if the person says so. Emits `changed` after that.
 */
class PartnerFiles extends PageElement {
  static override properties = {
    step: { state: true },
    file: { state: true },
    isOver: { state: true },
    isBusy: { state: true },
    error: { state: true },
  }

  static override styles = [
    ...PageElement.styles,
    fieldStyle,
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
      h2:focus {
        outline: none;
      }
      dl {
        display: grid;
        grid-template-columns: minmax(0, max-content) minmax(0, 1fr);
        gap: 0.375rem 1rem;
        overflow-wrap: anywhere;
      }
      dt {
        color: var(--wa-color-text-quiet);
      }
      .key {
        display: block;
        padding: 0.5rem 0.75rem;
        border-radius: 0.375rem;
        background: var(--wa-color-neutral-fill-quiet);
        color: var(--wa-color-text-normal);
      }
      @media (max-width: 30rem) {
        dl {
          grid-template-columns: minmax(0, 1fr);
          gap: 0 1rem;
        }
        dd {
          margin-block-end: 0.5rem;
        }
      }
    `,
  ]

  declare step: Step
  declare file: File | undefined
  declare isOver: boolean
  declare isBusy: boolean
  declare error: unknown

  #stop = new AbortController()

  constructor() {
    super()
    this.step = { name: 'waiting' }
    this.isOver = false
    this.isBusy = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener('dragover', this.#over)
    window.addEventListener('dragleave', this.#leave)
    window.addEventListener('drop', this.#drop)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener('dragover', this.#over)
    window.removeEventListener('dragleave', this.#leave)
    window.removeEventListener('drop', this.#drop)
    this.#stop.abort()
  }

  override render() {
    return html`<section class="panel stack" aria-labelledby="head">
      <h2 id="head" tabindex="-1">${this.#heading()}</h2>
      ${this.#renderStep()}
      ${this.error === undefined ? nothing : html`<cartulary-problem .error=${this.error}></cartulary-problem>`}
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
        <div><wa-button appearance="outlined" size="s" @click=${this.#cancel}>${t('cancel')}</wa-button></div>`
    }
    if (step.name === 'refused') return this.#renderRefusal(step.refusal)
    if (step.name === 'judged') return this.#renderVerdict(step.verdict)
    if (step.name === 'accepted') {
      const { file, fileName } = step
      return html`${
        file
          ? html`<wa-callout variant="success"><wa-icon slot="icon" name="check"></wa-icon>${t('accepted_text', { file: fileName })}</wa-callout>`
          : nothing
      }
        <div class="row">
          <wa-button variant="brand" ?loading=${this.isBusy} @click=${() => (file ? saveFile(file, fileName) : this.#saveResponse(step))}
            ><wa-icon slot="start" name="download"></wa-icon>${file ? t('saveAgain') : t('saveResponse')}</wa-button>
          <a href=${hrefTo('collaboration', { collaboration: step.collaborationId })}>${t('openCollaboration')}</a>
          ${this.#renderChoice()}
        </div>`
    }
    return html`<wa-callout variant="success"><wa-icon slot="icon" name="check"></wa-icon>${t('imported_text')}</wa-callout>
      <div class="row">
        <a href=${hrefTo('collaboration', { collaboration: step.collaborationId })}>${t('openCollaboration')}</a>
        ${this.#renderChoice()}
      </div>`
  }

  #renderChoice() {
    return html`<wa-button appearance="outlined" @click=${() => this.renderRoot.querySelector<HTMLInputElement>('#choice')?.click()}
      ><wa-icon slot="start" name="upload"></wa-icon>${t('openFile')}</wa-button>`
  }

  #renderRefusal(refusal: FileRefused) {
    const { problem, answer, causeInRecord } = refusal
    return html`<p>${this.file?.name}</p>
      ${
        problem
          ? html`<wa-callout variant="danger" role="alert"
              ><wa-icon slot="icon" name="warning"></wa-icon>${t(`problem_${problem}`, { maximum: longestFile })}</wa-callout>`
          : nothing
      }
      ${
        causeInRecord
          ? html`<wa-callout variant="danger" role="alert">
              <wa-icon slot="icon" name="warning"></wa-icon><strong>${sayCause(causeInRecord)}</strong>
              <p>${t(`afterwards_${causeInRecord.kind}`)}</p>
            </wa-callout>`
          : nothing
      }
      <cartulary-problem .error=${answer}></cartulary-problem>
      ${
        refusal.isForNewKey
          ? html`<div class="stack">
              <p>${t('newKeyText')}</p>
              <label class="tick"><input id="compared" type="checkbox" required><span>${t('compared')}</span></label>
              <div><wa-button appearance="outlined" @click=${this.#acceptNewKey}>${t('acceptNewKey')}</wa-button></div>
            </div>`
          : nothing
      }
      <div class="row">
        ${this.#renderChoice()}
        <wa-button appearance="plain" @click=${this.#cancel}>${t('close')}</wa-button>
      </div>`
  }

  #renderVerdict(verdict: Verdict) {
    const { key, fingerprintHex, fingerprint } = verdict
    const words =
      key.state === 'known' ? t('key_known', { since: formatMoment(key.since ?? 0) }) : t(`key_${key.state}`)
    return html`<form class="stack" @submit=${this.#go}>
      ${verdict.kind === 'invitation' ? renderRequest(verdict.request) : renderResponse(verdict.response)}
      <h3>${t('fingerprint')}</h3>
      <code class="key" title=${fingerprint}>${fingerprintHex}</code>
      <wa-callout variant=${key.state === 'known' ? 'success' : 'warning'}>
        <wa-icon slot="icon" name=${key.state === 'known' ? 'check' : 'shield'}></wa-icon>${words}
      </wa-callout>
      ${
        key.state === 'known'
          ? nothing
          : html`<label class="tick"><input name="compared" type="checkbox" required><span>${t('compared')}</span></label>`
      }
      ${
        verdict.kind === 'invitation'
          ? html`<h3>${t('contact')}</h3>
              <p class="quiet">${t('contactForHost')}</p>
              ${textField('guestContactFirstname', t('firstName'), collaborationLimits.contact)}
              ${textField('guestContactLastname', t('lastName'), collaborationLimits.contact)}
              ${textField('guestContactEmailAddress', t('email'), collaborationLimits.contact)}`
          : nothing
      }
      <div class="row">
        <wa-button type="submit" variant="brand" ?loading=${this.isBusy}
          >${verdict.kind === 'invitation' ? t('accept') : t('import')}</wa-button>
        <wa-button appearance="plain" @click=${this.#cancel}>${t('cancel')}</wa-button>
      </div>
      <input type="submit" hidden>
    </form>`
  }

  readonly #over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    this.isOver = true
  }

  readonly #leave = (event: DragEvent) => {
    if (!event.relatedTarget) this.isOver = false
  }

  readonly #drop = (event: DragEvent) => {
    this.isOver = false
    const [file] = event.dataTransfer?.files ?? []
    if (!file) return
    event.preventDefault()
    void this.#judge(file, false)
  }

  #choose(event: Event): void {
    const input = event.target as HTMLInputElement
    const [file] = input.files ?? []
    input.value = ''
    if (file) void this.#judge(file, false)
  }

  async #judge(file: File, acceptNewKey: boolean): Promise<void> {
    this.#stop.abort()
    this.#stop = new AbortController()
    const { signal } = this.#stop
    this.file = file
    this.error = undefined
    this.step = { name: 'judging' }
    try {
      this.step = { name: 'judged', verdict: await judgeFile(file, acceptNewKey, signal) }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof FileRefused) this.step = { name: 'refused', refusal: error }
      else {
        this.step = { name: 'waiting' }
        this.error = error
      }
    }
    await this.#focusHeading()
  }

  #acceptNewKey(): void {
    const box = this.renderRoot.querySelector<HTMLInputElement>('#compared')
    if (this.file && box?.reportValidity()) void this.#judge(this.file, true)
  }

  async #go(event: Event): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const { step, file } = this
    if (step.name !== 'judged' || !file || this.isBusy || !reportFields(form)) return
    const { compared: _, ...contact } = readFields(form)
    this.isBusy = true
    this.error = undefined
    try {
      this.step = await carryOut(step.verdict, file, contact)
      announce(this.#heading())
      this.dispatchEvent(new Event('changed'))
      await this.#focusHeading()
    } catch (error) {
      this.error = error
    } finally {
      this.isBusy = false
    }
    if (this.step.name === 'accepted') await this.#saveResponse(this.step)
  }

  /** A step of its own: the invitation is accepted once, although its response may take another try. */
  async #saveResponse(step: Accepted): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    this.error = undefined
    try {
      const path = `${collaborationPath(step.collaborationId)}/exportInvitationResponse`
      const file = await callForFile(path, {}, { method: 'POST' })
      saveFile(file, step.fileName)
      if (this.step === step) this.step = { ...step, file }
    } catch (error) {
      if (this.step === step) this.error = error
    } finally {
      this.isBusy = false
    }
  }

  #cancel(): void {
    this.#stop.abort()
    this.file = undefined
    this.error = undefined
    this.step = { name: 'waiting' }
    void this.#focusHeading()
  }

  async #focusHeading(): Promise<void> {
    await this.updateComplete
    this.renderRoot.querySelector<HTMLElement>('#head')?.focus()
  }
}

/** Accepts the invitation, or imports the response. */
async function carryOut(verdict: Verdict, file: Blob, contact: Readonly<Record<string, string>>): Promise<Step> {
  const acceptNewKey = verdict.key.state === 'changed'
  if (verdict.kind === 'response') {
    const { collaborationId, guestPortalName } = verdict.response
    const path = `${collaborationPath(collaborationId)}/importInvitationResponse`
    await call(path, { invitationResponseFile: file, acceptNewKey }, { method: 'POST' })
    return { name: 'imported', collaborationId, guest: guestPortalName }
  }
  const { collaborationId } = await call<{ readonly collaborationId: string }>(
    '/portals/self/acceptCollaborationInvitation',
    { invitationFile: file, acceptNewKey, ...contact },
    { method: 'POST' },
  )
  return { name: 'accepted', collaborationId, file: undefined, fileName: nameResponse(verdict.request.guestPortalUrl) }
}

function sayCause({ kind, at, username = '' }: Cause): string {
  return t(`cause_${kind}`, { at: formatMoment(at), username })
}

function renderRequest(request: Extract<Verdict, { readonly kind: 'invitation' }>['request']) {
  const contact = [request.hostContactFirstname, request.hostContactLastname, request.hostContactEmailAddress]
  return html`<dl>
    <dt>${t('collaboration')}</dt><dd>${request.collaborationName}<div class="quiet">${request.collaborationDescription}</div></dd>
    <dt>${t('host')}</dt><dd>${request.hostPortalName}<div class="quiet">${request.hostPortalUrl}</div></dd>
    ${contact.some(Boolean) ? html`<dt>${t('contact')}</dt><dd>${contact.filter(Boolean).join(' ')}</dd>` : nothing}
    <dt>${t('workspaces')}</dt>
    <dd>
      <ul role="list">
        ${request.collaborationWorkspaces.map(
          ({ name, accessMode }) =>
            html`<li>${name} <span class="quiet">${t(`access_${accessMode as 'send'}`)}</span></li>`,
        )}
      </ul>
    </dd>
    <dt>${t('endsAt')}</dt><dd><cartulary-moment .value=${request.expiration}></cartulary-moment></dd>
  </dl>`
}

function renderResponse(response: Extract<Verdict, { readonly kind: 'response' }>['response']) {
  const contact = [response.guestContactFirstname, response.guestContactLastname, response.guestContactEmailAddress]
  return html`<dl>
    <dt>${t('guest')}</dt><dd>${response.guestPortalName}<div class="quiet">${response.guestPortalUrl}</div></dd>
    ${contact.some(Boolean) ? html`<dt>${t('contact')}</dt><dd>${contact.filter(Boolean).join(' ')}</dd>` : nothing}
    <dt>${t('answered')}</dt><dd><cartulary-moment .value=${response.created}></cartulary-moment></dd>
  </dl>`
}

customElements.define('cartulary-partner-files', PartnerFiles)
