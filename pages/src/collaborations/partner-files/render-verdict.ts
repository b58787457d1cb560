import { css, html, nothing } from 'lit'
import { collaborationLimits } from '../../../../src/collaborations/collaboration.ts'
import { readFields, reportFields } from '../../elements/fields.ts'
import { button } from '../../elements/page.ts'
import { formatMoment } from '../../texts/formats.ts'
import { ofCollaborations as t } from '../../texts/rooms.ts'
import { limitedField } from '../limited-field.ts'
import { type ComparedKey, compareKeys, type KeyVerdict } from './key-comparison.ts'
import type { Verdict } from './verdict.ts'

type InvitationRequest = Extract<Verdict, { readonly kind: 'invitation' }>['request']
type InvitationResponse = Extract<Verdict, { readonly kind: 'response' }>['response']

/** Style of the keys in a verdict. */
export const keyStyle = css`
  .key {
    display: block;
    color: var(--wa-color-text-normal);
  }
`

interface VerdictOptions {
  readonly isBusy: boolean
  /** Called with the contact of this organization, once the key is compared. */
  readonly confirm: (contact: Readonly<Record<string, string>>) => void
  readonly cancel: () => void
}

/** Renders the contents of a valid file, the key that signed it, and fields for further input. */
export function renderVerdict(verdict: Verdict, { isBusy, confirm, cancel }: VerdictOptions) {
  const submit = (event: Event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    if (isBusy || !reportFields(form)) return
    const { compared: _, ...contact } = readFields(form)
    confirm(contact)
  }
  return html`<form class="stack" @submit=${submit}>
    ${verdict.kind === 'invitation' ? renderRequest(verdict.request) : renderResponse(verdict.response)}
    <h3>${t('fingerprint')}</h3>
    ${renderKey(verdict)}
    ${
      verdict.key.state === 'known'
        ? nothing
        : html`<label class="tick"><input name="compared" type="checkbox" required
            ><span>${t(comparedText(verdict.key))}</span></label>`
    }
    ${
      verdict.kind === 'invitation'
        ? html`<h3>${t('contact')}</h3>
            <p class="quiet">${t('contactForHost')}</p>
            ${limitedField('guestContactFirstname', t('firstName'), collaborationLimits.contact)}
            ${limitedField('guestContactLastname', t('lastName'), collaborationLimits.contact)}
            ${limitedField('guestContactEmailAddress', t('email'), collaborationLimits.contact)}`
        : nothing
    }
    <div class="row">
      ${button(verdict.kind === 'invitation' ? t('accept') : t('import'), { type: 'submit', variant: 'brand', loading: isBusy })}
      ${button(t('cancel'), { appearance: 'plain', onClick: cancel })}
    </div>
    <input type="submit" hidden>
  </form>`
}

/** Renders the fingerprint, the known ones where they differ, and what the difference means. */
function renderKey(verdict: Verdict) {
  const compared = compareKeys(verdict.key, signerOf(verdict))
  if (compared.kind === 'otherKey') {
    return html`${renderKeys(compared.keys, ({ of, since = 0 }) => (of === 'signer' ? t('newKey') : t('knownKey', { since: formatMoment(since) })))}
      ${renderWarning(t('key_changed'), t('newKeyText'))}`
  }
  if (compared.kind === 'otherPortal') {
    const { portalId, url } = signerOf(verdict)
    const { known, hasOtherKey, keys } = compared
    const words = t('key_otherPortal', { url, known, portal: portalId })
    return html`${renderKeys(keys, ({ of, portalId, since = 0 }) => t(`key_of_${of}`, { portal: portalId, since: formatMoment(since) }))}
      ${renderWarning(hasOtherKey ? `${words} ${t('key_changed')}` : words, t('otherPortalText'))}`
  }
  const { fingerprint, fingerprintHex } = verdict
  const isKnown = compared.kind === 'known'
  return html`<code class="key box" title=${fingerprint}>${fingerprintHex}</code>
    <wa-callout variant=${isKnown ? 'success' : 'warning'}>
      <wa-icon slot="icon" name=${isKnown ? 'check' : 'shield'}></wa-icon
      >${isKnown ? t('key_known', { since: formatMoment(compared.since) }) : t('key_new')}
    </wa-callout>`
}

function renderKeys(keys: readonly ComparedKey[], label: (key: ComparedKey) => string) {
  return html`<div class="sides">${keys.map(
    (key) =>
      html`<div><div class="quiet">${label(key)}</div><code class="key box" title=${key.fingerprint}>${key.fingerprintHex}</code></div>`,
  )}</div>`
}

function renderWarning(found: string, advice: string) {
  return html`<wa-callout variant="danger" role="alert">
    <wa-icon slot="icon" name="shield"></wa-icon><strong>${found}</strong>
    <p>${advice}</p>
  </wa-callout>`
}

/** Signer of the file, by its own claim. */
function signerOf(verdict: Verdict) {
  const { fingerprint, fingerprintHex } = verdict
  const { portalId, url } =
    verdict.kind === 'invitation'
      ? { portalId: verdict.request.hostPortalId, url: verdict.request.hostPortalUrl }
      : { portalId: verdict.response.guestPortalId, url: verdict.response.guestPortalUrl }
  return { portalId, url, fingerprint, fingerprintHex }
}

/** Key of the text that confirms the comparison. */
function comparedText({ state, atUrl }: KeyVerdict): 'compared' | 'comparedNew' | 'comparedPortal' {
  if (state !== 'changed') return 'compared'
  return atUrl ? 'comparedPortal' : 'comparedNew'
}

function renderRequest(request: InvitationRequest) {
  const contact = [request.hostContactFirstname, request.hostContactLastname, request.hostContactEmailAddress]
  return html`<dl class="facts">
    <dt>${t('collaboration')}</dt><dd><bdi>${request.collaborationName}</bdi><div class="quiet"><bdi>${request.collaborationDescription}</bdi></div></dd>
    <dt>${t('host')}</dt><dd><bdi>${request.hostPortalName}</bdi><div class="quiet"><bdi>${request.hostPortalUrl}</bdi></div></dd>
    ${contact.some(Boolean) ? html`<dt>${t('contact')}</dt><dd><bdi>${contact.filter(Boolean).join(' ')}</bdi></dd>` : nothing}
    <dt>${t('workspaces')}</dt>
    <dd>
      <ul role="list">
        ${request.collaborationWorkspaces.map(
          ({ name, accessMode }) =>
            html`<li><bdi>${name}</bdi> <span class="quiet">${t(`access_${accessMode as 'send'}`)}</span></li>`,
        )}
      </ul>
    </dd>
    <dt>${t('endsAt')}</dt><dd><cartulary-moment .value=${request.expiration}></cartulary-moment></dd>
  </dl>`
}

function renderResponse(response: InvitationResponse) {
  const contact = [response.guestContactFirstname, response.guestContactLastname, response.guestContactEmailAddress]
  return html`<dl class="facts">
    <dt>${t('guest')}</dt><dd><bdi>${response.guestPortalName}</bdi><div class="quiet"><bdi>${response.guestPortalUrl}</bdi></div></dd>
    ${contact.some(Boolean) ? html`<dt>${t('contact')}</dt><dd><bdi>${contact.filter(Boolean).join(' ')}</bdi></dd>` : nothing}
    <dt>${t('answered')}</dt><dd><cartulary-moment .value=${response.created}></cartulary-moment></dd>
  </dl>`
}
