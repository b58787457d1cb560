import { html, nothing, type TemplateResult } from 'lit'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import type {
  WireGroupApplication,
  WireGroupInvitation,
  WireNotification,
} from '../../../../src/http/shapes/directory/group-request.ts'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import { Action, announce, button, Reading, Screen } from '../../elements/page.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { screenOf } from '../../owners/owners.ts'
import { markRead, readNotices } from '../../session/notices.ts'
import { call, groupPath, post, signedIn, userPath } from '../../session/session.ts'
import { formatMoment } from '../../texts/formats.ts'
import { ofPeople as family, ofPeopleRequests as t } from '../../texts/rooms.ts'
import { renderPeopleTabs } from '../tabs.ts'

interface Invited {
  readonly invitation: WireGroupInvitation
  readonly title: string
}

interface Applied {
  readonly application: WireGroupApplication
  readonly group: WireGroup
}

interface Requests {
  readonly invitations: readonly Invited[]
  readonly applications: readonly Applied[]
  readonly notifications: readonly WireNotification[]
}

/** Requests that wait for an answer of the person, and the outcome of their own requests. */
class RequestsScreen extends Screen {
  readonly #action = new Action(this)
  readonly #requests = new Reading(this, {
    args: () => [],
    task: (_, { signal }) => loadRequests(signal),
    // Notifications that are shown stay marked as new until the list is read again.
    onComplete: ({ notifications }) => void markRead(notifications).catch(() => {}),
  })

  override render() {
    return html`<cartulary-heading text=${family('requests')} note=${t('note')}></cartulary-heading>
      ${renderPeopleTabs('requests')}
      <div class="stack">
        <cartulary-problem .error=${this.#action.error}></cartulary-problem>
        ${this.#requests.showLatest((requests) => this.#renderRequests(requests))}
      </div>`
  }

  #renderRequests({ invitations, applications, notifications }: Requests) {
    const listed = {
      invitations: invitations.map((invited) => this.#renderInvitation(invited)),
      applications: applications.map((applied) => this.#renderApplication(applied)),
      notices: notifications.map((notification) => this.#renderNotification(notification)),
    }
    return html`${renderSection('invitations', t('noInvitations'), listed.invitations)}
      ${renderSection('applications', t('noApplications'), listed.applications)}
      ${renderSection('notices', t('noNotices'), listed.notices)}`
  }

  #renderInvitation({ invitation, title }: Invited) {
    const { role, fromUsername, expiration, id } = invitation
    const from = fromUsername.fullname || fromUsername.username
    const path = `${ownPath()}/invitations/${id}`
    return html`<li>
      <div>
        <strong>${title}</strong>
        <div>${t(role === 'group_admin' ? 'invitedManager' : 'invited', { from })}</div>
        <div class="quiet">${t('until', { moment: formatMoment(expiration) })}</div>
      </div>
      ${this.#renderAnswers('invitations', title, path)}
    </li>`
  }

  #renderApplication({ application: { username, fullname, received }, group }: Applied) {
    const name = fullname ? `${fullname} (${username})` : username
    const path = `${groupPath(group.id)}/applications/${encodeURIComponent(username)}`
    return html`<li>
      <div>
        <a href=${hrefTo('group', { group: group.id })}>${group.title}</a>
        <div>${t('wantsToJoin', { name, group: group.title })}</div>
        <div class="quiet"><cartulary-moment value=${received} distance></cartulary-moment></div>
      </div>
      ${this.#renderAnswers('applications', name, path)}
    </li>`
  }

  /** Labels of the buttons name the request, so that screen readers can distinguish them. */
  #renderAnswers(section: string, about: string, path: string) {
    const isBusy = this.#action.isRunning
    return html`<div class="row">
      ${button(html`${t('accept')}<span class="visually-hidden">: ${about}</span>`, { variant: 'brand', size: 's', disabled: isBusy, onClick: () => this.#post(section, `${path}/accept`, t('accepted')) })}
      ${button(html`${t('decline')}<span class="visually-hidden">: ${about}</span>`, { size: 's', disabled: isBusy, onClick: () => this.#post(section, `${path}/decline`, t('declined')) })}
    </div>`
  }

  #renderNotification(notice: WireNotification) {
    const { id, type, received, read, data } = notice
    const { draft, invitation, groupTitle } = data
    const words = t(`notice_${type}`, {
      group: groupTitle,
      draft: draft?.name ?? '',
      person: (draft ?? invitation)?.by || 'none',
      guest: invitation?.guestPortalUrl ?? '',
      collaboration: invitation?.collaborationName ?? '',
    })
    const href = hrefOf(notice)
    return html`<li>
      <div>
        ${read ? nothing : html`<wa-tag size="s" variant="brand">${t('new')}</wa-tag>`}
        ${href === undefined ? words : html`<a href=${href}>${words}</a>`}
        <div class="quiet"><cartulary-moment value=${received} distance></cartulary-moment></div>
      </div>
      ${button(html`${t('dismiss')}<span class="visually-hidden">: ${words}</span>`, { size: 's', disabled: this.#action.isRunning, onClick: () => this.#post('notices', `${ownPath()}/notifications/${id}/delete`, t('dismissed')) })}
    </li>`
  }

  /** Posts an answer. The used button is gone afterwards: the focus goes to the heading of its section. */
  async #post(section: string, path: string, announced: string): Promise<void> {
    const isDone = await this.#action.run(() => post(path))
    if (!isDone) return
    await this.#requests.run()
    announce(announced)
    await this.focusOn(`#${section}`)
  }
}

/** Link to the collaboration of an invitation, to a draft, or to the version that it became. */
function hrefOf({ type, data: { draft, invitation, groupId } }: WireNotification): string | undefined {
  if (invitation) return hrefTo('collaboration', { collaboration: invitation.collaborationId })
  if (!draft) return undefined
  const owner = groupId === '' ? ({ kind: 'organization' } as const) : ({ kind: 'group', id: groupId } as const)
  const of = type === 'draft_published' ? screenOf(owner, 'History') : screenOf(owner, 'Draft', { draft: draft.id })
  return hrefTo(...of)
}

/** Renders requests of a kind below a heading, which has the focus when one is answered. */
function renderSection(
  kind: 'invitations' | 'applications' | 'notices',
  empty: string,
  entries: readonly TemplateResult[],
) {
  return html`<section class="panel stack">
    <h2 id=${kind} tabindex="-1">${t(kind)}</h2>
    ${entries.length === 0 ? html`<p class="quiet">${empty}</p>` : html`<ul role="list" class="entries">${entries}</ul>`}
  </section>`
}

const ownPath = () => userPath(signedIn()?.username ?? '')

async function loadRequests(signal: AbortSignal): Promise<Requests> {
  const [self, { userInvitations }, notifications] = await Promise.all([
    call<WireUserView>('/community/self', {}, { signal }),
    call<{ readonly userInvitations: readonly WireGroupInvitation[] }>(`${ownPath()}/invitations`, {}, { signal }),
    readNotices(signal),
  ])
  const asked = self.groups.filter(({ userMembership }) => userMembership.applications > 0)
  const [invitations, applications] = await Promise.all([
    Promise.all(userInvitations.map((invitation) => loadTitle(invitation, signal))),
    Promise.all(asked.map((group) => loadApplications(group, signal))),
  ])
  return { invitations, applications: applications.flat(), notifications }
}

/** Loads the title of a group, which may not be visible before the invitation is accepted. */
async function loadTitle(invitation: WireGroupInvitation, signal: AbortSignal): Promise<Invited> {
  const { group } = await call<{ readonly group: WireGroup }>(
    `${ownPath()}/invitations/${invitation.id}`,
    {},
    { signal },
  )
  return { invitation, title: group.title }
}

async function loadApplications(group: WireGroup, signal: AbortSignal): Promise<readonly Applied[]> {
  const { applications } = await call<{ readonly applications: readonly WireGroupApplication[] }>(
    `${groupPath(group.id)}/applications`,
    {},
    { signal },
  )
  return applications.map((application) => ({ application, group }))
}

customElements.define('cartulary-requests', RequestsScreen)
