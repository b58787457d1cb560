import { field, textOf, tick } from '../../elements/fields.ts'
import { Action, announce, button, Reading, Screen } from '../../elements/page.ts'
import './invitation-state.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { live } from 'lit/directives/live.js'
import { type AccessMode, accessModes } from '../../../../src/collaborations/collaboration.ts'
import { expiresAt, maxHours } from '../../../../src/collaborations/invitation.ts'
import type { WireCollaboration } from '../../../../src/http/shapes/collaborations/collaboration.ts'
import type { WireInvitationFile } from '../../../../src/http/shapes/collaborations/handshake.ts'
import type { WireInvitation } from '../../../../src/http/shapes/collaborations/invitation.ts'
import type { WireParticipant } from '../../../../src/http/shapes/collaborations/participant.ts'
import type { WireWorkspace } from '../../../../src/http/shapes/collaborations/workspace.ts'
import { saveFile } from '../../elements/save-file.ts'
import { readFingerprint } from '../../forms/secret.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { listPages } from '../../session/list-pages.ts'
import { call, callForFile } from '../../session/session.ts'
import { formatMoment } from '../../texts/formats.ts'
import { ofCollaborations as t } from '../../texts/rooms.ts'
import { collaborationPath, invitationPath } from '../records.ts'
import { completeAddress, isOwnMachine, isSameGuest, type Scheme, schemes, splitAddress } from './guest-address.ts'
import { nameInvitation } from './invitation-file.ts'
import { findProblem, type StepName, type StepProblem, stepFor, steps } from './invitation-steps.ts'
import { draftMail, type Invited } from './mail-draft.ts'

/** Pages of 100 participants and invitations in which an address is looked for. */
const pages = 10

/** An invitation that was created. */
interface Issued extends Invited {
  readonly invitationId: string
  readonly file: Blob
  readonly fileName: string
}

/** Invites a guest in four steps; the address has the step. The last one saves the invitation file. */
class NewInvitation extends Screen {
  static override styles = css`
    .steps {
      gap: 0.5rem 1.5rem;
      color: var(--wa-color-text-quiet);
    }
    .steps [aria-current] {
      color: var(--wa-color-text-normal);
      font-weight: 600;
    }
    .workspace {
      display: grid;
      grid-template-columns: minmax(0, 1fr) minmax(10rem, 16rem);
      gap: 0.5rem 1rem;
      align-items: start;
    }
    .address {
      display: grid;
      grid-template-columns: max-content minmax(0, 1fr);
      gap: 0.5rem;
    }
    @media (max-width: 36rem) {
      .workspace {
        grid-template-columns: minmax(0, 1fr);
      }
    }
  `

  @state() address = ''
  @state() scheme: Scheme = 'https'
  /** Access mode of the guest by workspace. */
  @state() access: ReadonlyMap<string, AccessMode> = new Map()
  @state() hours: number = maxHours
  @state() issued: Issued | undefined
  /** Missing answer of the present step. */
  @state() problem: StepProblem | undefined

  /** Whether the person chose the scheme, or typed it. */
  #hasChosenScheme = false

  readonly #creation = new Action(this)

  readonly #known = new Task(this, {
    args: () => [this.parameters['collaboration'] ?? ''] as const,
    task: async ([id], { signal }) => {
      const path = collaborationPath(id)
      const [{ entries: participants }, { entries: invitations }] = await Promise.all([
        listPages<WireParticipant>(`${path}/participants`, 'participants', signal, pages),
        listPages<WireInvitation>(`${path}/invitations`, 'collaborationInvitations', signal, pages),
      ])
      return { participants, invitations }
    },
  })

  readonly #place = new Reading(this, {
    args: () => [this.parameters['collaboration'] ?? ''] as const,
    task: async ([id], { signal }) => {
      const path = collaborationPath(id)
      const [collaboration, { entries: workspaces }] = await Promise.all([
        call<WireCollaboration>(path, {}, { signal }),
        listPages<WireWorkspace>(`${path}/workspaces`, 'workspaces', signal),
      ])
      const again = this.query.get('again')
      if (again) this.#takeFrom(await call<WireInvitation>(invitationPath(id, again), {}, { signal }), workspaces)
      // With a single workspace, only the access mode has to be chosen.
      if (workspaces.length === 1 && this.access.size === 0)
        this.access = new Map([[workspaces[0]!.id, 'sendAndReceive']])
      return { collaboration, workspaces }
    },
  })

  override render() {
    const { value } = this.#place
    const heading = html`<cartulary-heading text=${t('invite')} note=${value?.collaboration.name}></cartulary-heading>`
    if (!value) return html`${heading}${this.#place.show(() => nothing)}`
    if (this.issued) return html`${heading}${this.#renderIssued(this.issued)}`
    const step = this.#presentStep()
    const position = steps.indexOf(step)
    return html`${heading}
      <form class="stack" novalidate @submit=${this.#next}>
        <ol class="row steps" role="list">
          ${steps.map(
            (name, at) =>
              html`<li aria-current=${name === step ? 'step' : nothing}>${at + 1}. ${
                at < position
                  ? html`<a href=${this.#hrefOf(name)} @click=${() => this.#leaveStep()}>${t(`step_${name}`)}</a>`
                  : t(`step_${name}`)
              }</li>`,
          )}
        </ol>
        <h2 tabindex="-1">${t(`step_${step}`)}</h2>
        ${this.#renderStep(step, value.workspaces)}
        ${this.problem ? html`<p class="problem" id="problem" role="alert"><wa-icon name="warning"></wa-icon> ${t(this.problem)}</p>` : nothing}
        <cartulary-problem .error=${this.#creation.error}></cartulary-problem>
        <div class="row">
          ${position > 0 ? button(t('back'), { onClick: () => window.history.back() }) : nothing}
          ${button(step === 'summary' ? t('createInvitation') : t('next'), { type: 'submit', variant: 'brand', loading: this.#creation.isRunning })}
          ${button(t('cancel'), { appearance: 'plain', href: hrefTo('collaboration', { collaboration: value.collaboration.id }) })}
        </div>
        <input type="submit" hidden>
      </form>`
  }

  #presentStep(): StepName {
    return stepFor(this.query.get('step'), this)
  }

  #renderStep(step: StepName, workspaces: readonly WireWorkspace[]) {
    if (step === 'guest') {
      return this.#renderAddress()
    }
    if (step === 'access') {
      return html`<p>${t('accessText')}</p>
        <p class="quiet">${t('notCopied')}</p>
        <fieldset>
          <legend class="visually-hidden">${t('step_access')}</legend>
          ${workspaces.map((workspace) => this.#renderWorkspace(workspace))}
        </fieldset>`
    }
    if (step === 'end') {
      return html`${field('hours', t('hours'), {
        type: 'number',
        min: 1,
        max: maxHours,
        value: String(this.hours),
        follows: true,
        hint: t('hoursText', { maximum: maxHours }),
        onInput: (event) => {
          this.hours = (event.target as HTMLInputElement).valueAsNumber
          this.problem = undefined
        },
      })}
        ${findProblem('end', this) ? nothing : html`<p>${t('endsAt')}: <cartulary-moment .value=${expiresAt(Date.now(), this.hours)}></cartulary-moment></p>`}`
    }
    return html`<dl class="facts">
      <dt>${t('guest')}</dt><dd><bdi>${completeAddress(this.address, this.scheme)}</bdi></dd>
      <dt>${t('workspaces')}</dt>
      <dd>
        ${workspaces.filter(({ id }) => this.access.has(id)).map(({ id, name }) => html`<div><bdi>${name}</bdi>: ${t(`access_${this.access.get(id)!}`)}</div>`)}
      </dd>
      <dt>${t('endsAt')}</dt><dd><cartulary-moment .value=${expiresAt(Date.now(), this.hours)}></cartulary-moment></dd>
    </dl>`
  }

  #renderAddress() {
    const complete = completeAddress(this.address, this.scheme)
    return html`<div class="field">
        <span id="address" aria-hidden="true">${t('guestAddress')}</span>
        <div class="address" dir="ltr">
          <select
            aria-label=${t('scheme')}
            @change=${(event: Event) => {
              this.scheme = textOf(event) as Scheme
              this.#hasChosenScheme = true
            }}
          >
            ${schemes.map((scheme) => html`<option value=${scheme} .selected=${scheme === this.scheme}>${scheme}://</option>`)}
          </select>
          <input
            name="address" type="text" inputmode="url" autocomplete="url" spellcheck="false" .value=${live(this.address)}
            aria-label=${t('guestAddress')} aria-describedby=${this.problem ? 'problem' : 'about'}
            @input=${(event: Event) => this.#take(textOf(event))}
          >
        </div>
        <small id="about">${t('guestAddressText')} ${t('schemeText')}</small>
      </div>
      ${complete ? html`<p>${t('invited_address')} <bdi>${complete}</bdi></p>` : nothing}
      <div role="status">${this.#renderRemark(complete)}</div>`
  }

  /** Renders that the portal at an address takes part already, or was invited before. */
  #renderRemark(address: string | undefined) {
    const { value } = this.#known
    if (!value || !address) return nothing
    const { participants, invitations } = value
    const guest = participants.find(({ portalInfo }) => isSameGuest(portalInfo.url, address))
    if (guest?.collaborationRole === 'Host') return renderCallout(t('guestIsHost'))
    if (guest) {
      return renderCallout(t('guestTakesPart', { name: guest.portalInfo.name, since: formatMoment(guest.created) }))
    }
    const last = invitations
      .filter(({ guestPortalUrl }) => isSameGuest(guestPortalUrl, address))
      .toSorted((one, other) => other.created - one.created)[0]
    if (!last) return nothing
    const href = hrefTo('invitation', { collaboration: last.collaborationId, invitation: last.id })
    return renderCallout(html`${t('guestWasInvited', { at: formatMoment(last.created) })}
      <div class="row">
        <cartulary-invitation-state .invitation=${last}></cartulary-invitation-state><a href=${href}>${t('openInvitation')}</a>
      </div>`)
  }

  /** Takes a typed address; a scheme in it is chosen, and that of the own machine proposed. */
  #take(typed: string): void {
    const { scheme, rest } = splitAddress(typed)
    this.address = rest
    this.problem = undefined
    if (scheme) this.#hasChosenScheme = true
    if (scheme) this.scheme = scheme
    else if (!this.#hasChosenScheme) this.scheme = isOwnMachine(rest) ? 'http' : 'https'
  }

  /** Proposes the guest of an earlier invitation, and its access to the workspaces that are still there. */
  #takeFrom({ guestPortalUrl, invitationString }: WireInvitation, workspaces: readonly WireWorkspace[]): void {
    const { invitationRequest } = JSON.parse(invitationString) as WireInvitationFile
    this.#take(guestPortalUrl)
    this.access = new Map(
      invitationRequest.collaborationWorkspaces
        .filter(({ id }) => workspaces.some((workspace) => workspace.id === id))
        .map(({ id, accessMode }) => [id, accessMode as AccessMode]),
    )
  }

  #hrefOf(step: StepName): string {
    const collaboration = this.parameters['collaboration'] ?? ''
    return hrefTo('newInvitation', { collaboration }, { step, again: this.query.get('again') ?? undefined })
  }

  #leaveStep(): void {
    this.problem = undefined
    void this.focusOn('h2')
  }

  #renderWorkspace({ id, name, description }: WireWorkspace) {
    const present = this.access.get(id)
    const change = (mode: AccessMode | undefined) => {
      const access = new Map(this.access)
      if (mode) access.set(id, mode)
      else access.delete(id)
      this.access = access
      this.problem = undefined
    }
    return html`<div class="workspace">
      ${tick(html`${name}${description ? html`<br><small>${description}</small>` : nothing}`, present !== undefined, { onChange: (ticked) => change(ticked ? 'sendAndReceive' : undefined) })}
      <select
        aria-label=${t('accessIn', { name })} ?disabled=${!present}
        @change=${(event: Event) => change(textOf(event) as AccessMode)}
      >
        ${accessModes.map((mode) => html`<option value=${mode} .selected=${mode === (present ?? 'sendAndReceive')}>${t(`access_${mode}`)}</option>`)}
      </select>
    </div>`
  }

  #renderIssued(issued: Issued) {
    const { invitationId, file, fileName, fingerprint } = issued
    const collaboration = this.parameters['collaboration'] ?? ''
    return html`<div class="stack">
      <h2 tabindex="-1">${t('invitationReady')}</h2>
      <wa-callout variant="success"><wa-icon slot="icon" name="check"></wa-icon>${t('fileSaved', { file: fileName })}</wa-callout>
      <ol class="stack">
        <li>${t('todo_send', { file: fileName })}</li>
        <li><cartulary-secret label=${t('todo_compare')} value=${fingerprint}></cartulary-secret></li>
        <li>${t('todo_import')}</li>
      </ol>
      <div class="row">
        ${button(t('saveAgain'), { icon: 'download', onClick: () => saveFile(file, fileName) })}
        ${button(t('writeMail'), { icon: 'pencil', href: draftMail(issued) })}
        <a href=${hrefTo('invitation', { collaboration, invitation: invitationId })}>${t('openInvitation')}</a>
      </div>
      <p class="quiet">${t('writeMailText', { file: fileName })}</p>
    </div>`
  }

  #next(event: Event): void {
    event.preventDefault()
    const step = this.#presentStep()
    this.problem = findProblem(step, this)
    if (this.problem) {
      this.renderRoot.querySelector<HTMLElement>('.field input, fieldset input')?.focus()
      return
    }
    if (step === 'summary') void this.#create()
    else {
      goTo(this.#hrefOf(steps[steps.indexOf(step) + 1]!))
      void this.focusOn('h2')
    }
  }

  async #create(): Promise<void> {
    await this.#creation.run(async () => {
      const path = `${collaborationPath(this.parameters['collaboration'] ?? '')}/inviteParticipant`
      const guestPortalUrl = completeAddress(this.address, this.scheme)!
      const access = JSON.stringify([...this.access].map(([id, mode]) => ({ [id]: mode })))
      const parameters = {
        guestPortalUrl,
        collaborationWorkspacesParticipantConfigJSON: access,
        expiration: this.hours,
      }
      const fingerprint = await readFingerprint()
      const file = await callForFile(path, parameters, { method: 'POST' })
      const { invitationRequest } = JSON.parse(await file.text()) as WireInvitationFile
      const { id: invitationId, collaborationName, expiration } = invitationRequest
      const fileName = nameInvitation(collaborationName, guestPortalUrl)
      this.issued = { invitationId, file, fileName, fingerprint, collaborationName, expiration }
      saveFile(file, fileName)
      announce(t('invitationReady'))
      await this.focusOn('h2')
    })
  }
}

function renderCallout(content: unknown) {
  return html`<wa-callout variant="warning"><wa-icon slot="icon" name="info"></wa-icon>${content}</wa-callout>`
}

customElements.define('cartulary-new-invitation', NewInvitation)
