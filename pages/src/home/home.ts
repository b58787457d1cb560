import { Task, TaskStatus } from '@lit/task'
import { html, nothing } from 'lit'
import type { Category, CategorySchema } from '../../../src/categories/schema.ts'
import { listCategories } from '../../../src/categories/schema-paths.ts'
import type { WireCollaboration } from '../../../src/http/shapes/collaborations/collaboration.ts'
import type { WireInvitation } from '../../../src/http/shapes/collaborations/invitation.ts'
import type { serverFiguresShape } from '../../../src/http/shapes/directory/server-figures.ts'
import type { WireUserView } from '../../../src/http/shapes/directory/user.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import { collaborationPath, collaborationsPath } from '../collaborations/records.ts'
import { listOwnersOfDrafts } from '../drafts/drafts.ts'
import { Action, button, Reading, Screen } from '../elements/page.ts'
import { base, hrefTo } from '../navigation/navigation.ts'
import { listPages } from '../session/list-pages.ts'
import { readNotices } from '../session/notices.ts'
import { call, may, signedIn, signIn, userPath } from '../session/session.ts'
import { compareTexts } from '../texts/formats.ts'
import { ofHome as t } from '../texts/rooms.ts'
import {
  byEnd,
  listDraftSteps,
  listInvitationSteps,
  listNextSteps,
  type NextStep,
  type PendingDraft,
} from './next-steps.ts'

type Figures = ValueOf<typeof serverFiguresShape>

/** Maximum number of groups listed here; the others are on their own screen. */
const shownGroups = 20
/** Maximum number of collaborations whose invitations are read: each takes a call. */
const maxCollaborations = 10

/** First screen of a person: sign-in, or the schema of the organization and their groups. */
class Home extends Screen {
  readonly #signIn = new Action(this)

  readonly #overview = new Reading(this, {
    args: () => [signedIn()?.username],
    task: async ([username], { signal }) => {
      if (!username) return undefined
      const path = userPath(username)
      const [schema, { groups }, { userInvitations }] = await Promise.all([
        call<CategorySchema>('/portals/self/categorySchema', {}, { signal }),
        call<WireUserView>('/community/self', {}, { signal }),
        call<{ readonly userInvitations: readonly unknown[] }>(`${path}/invitations`, {}, { signal }),
        readNotices(signal),
      ])
      const trees = schema.categorySchema
      const steps = listNextSteps({
        groupInvitations: userInvitations.length,
        groups,
        draftOwners: listOwnersOfDrafts(),
        needsSchema: trees.length === 0 && may('assignPortalCategorySchema'),
      })
      return { trees, steps, groups: groups.toSorted((one, other) => compareTexts(one.title, other.title)) }
    },
  })

  /** Loaded separately so that the rest is shown first; unread ones are on the screen of collaborations. */
  readonly #partners = new Task(this, {
    args: () => [signedIn()?.portal.id],
    task: async ([portalId], { signal }) =>
      portalId && may('listCollaborations') ? loadInvitationSteps(portalId, signal) : noInvitations,
  })

  /** Drafts on the server that wait for the person; without an answer, none are listed. */
  readonly #drafts = new Task(this, {
    args: () => [signedIn()?.username],
    task: async ([username], { signal }) => {
      if (!username) return []
      const { drafts } = await call<{ readonly drafts: readonly PendingDraft[] }>(
        '/portals/self/pendingSchemaDrafts',
        {},
        { signal },
      )
      return listDraftSteps(drafts, username)
    },
  })

  /** Number of server conditions that need attention, for persons who may see them. */
  readonly #attention = new Task(this, {
    args: () => [may('readServerFigures')],
    task: async ([isShown], { signal }) => {
      if (!isShown) return 0
      const { attention } = await call<Pick<Figures, 'attention'>>('/portals/self/serverFigures', {}, { signal })
      return attention.length
    },
  })

  override render() {
    const person = signedIn()
    if (!person) {
      return html`<cartulary-heading text=${t('welcome')} note=${t('welcomeText')}></cartulary-heading>
        <div class="stack">
          <cartulary-problem .error=${this.#signIn.error}></cartulary-problem>
          <div class="row">
            ${button(t('signIn'), { variant: 'brand', onClick: () => this.#signIn.run(signIn) })}
            <a href=${new URL('sharing/rest', base).href}>${t('forPrograms')}</a>
          </div>
        </div>`
    }
    return html`<cartulary-heading text=${t('greeting', { name: person.fullName || person.username })}></cartulary-heading>
      ${this.#overview.show(
        (overview) =>
          overview &&
          html`<div class="stack">
            ${this.#renderNext(overview.steps)}
            ${this.#renderOverview(overview.trees, overview.groups)}
            <cartulary-overview .groups=${overview.groups} ?has-schema=${overview.trees.length > 0}></cartulary-overview>
          </div>`,
      )}`
  }

  #renderNext(ownSteps: readonly NextStep[]) {
    const { status, value = noInvitations } = this.#partners
    const { value: count = 0 } = this.#attention
    const ofServer: readonly NextStep[] = count > 0 ? [{ kind: 'attention', count }] : []
    const steps = byEnd([...ofServer, ...(this.#drafts.value ?? []), ...ownSteps, ...value.steps])
    const isPending = status === TaskStatus.INITIAL || status === TaskStatus.PENDING
    const mayBeMore = status === TaskStatus.ERROR || !value.areAll
    if (steps.length === 0 && isPending) return html`<cartulary-loading></cartulary-loading>`
    if (steps.length === 0 && !mayBeMore) return html`<p class="quiet">${t('nothingNext')}</p>`
    return html`<section class="panel stack" aria-labelledby="next">
      <h2 id="next">${t('next')}</h2>
      <ul role="list" class="stack">
        ${steps.map(
          (step) =>
            html`<li><a href=${hrefOf(step)}>${t(`next_${step.kind}`, { ...step })}</a>${
              'ends' in step && step.ends
                ? html` <span class="quiet"><cartulary-moment value=${step.ends} distance></cartulary-moment></span>`
                : nothing
            }</li>`,
        )}
        ${mayBeMore ? html`<li><a href=${hrefTo('collaborations')}>${t('moreInvitations')}</a></li>` : nothing}
      </ul>
    </section>`
  }

  #renderOverview(trees: readonly Category[], groups: WireUserView['groups']) {
    const size = { trees: trees.length, categories: listCategories({ categorySchema: trees }).length }
    return html`<div class="cards">
      <section class="panel stack">
        <h2>${t('organization')}</h2>
        <p>${trees.length === 0 ? t('noSchema') : t('schemaSize', size)}</p>
        <p><a href=${hrefTo('organizationSchema')}>${t('openSchema')}</a></p>
        ${may('updatePortal') ? html`<p><a href=${hrefTo('organizationSettings')}>${t('openSettings')}</a></p>` : nothing}
      </section>
      ${
        groups.length === 0
          ? nothing
          : html`<section class="panel stack">
              <h2>${t('yourGroups')}</h2>
              <ul role="list" class="stack">
                ${groups.slice(0, shownGroups).map(({ id, title }) => html`<li><a href=${hrefTo('group', { group: id })}>${title}</a></li>`)}
              </ul>
              ${groups.length > shownGroups ? html`<p><a href=${hrefTo('groups', {}, { mine: '1' })}>${t('allGroups')}</a></p>` : nothing}
            </section>`
      }
    </div>`
  }
}

/** Address where a step is done. */
function hrefOf(step: NextStep): string {
  switch (step.kind) {
    case 'attention':
      return hrefTo('system')
    case 'groupInvitations':
    case 'applications':
      return hrefTo('requests')
    case 'organizationDraft':
      return hrefTo('organizationReview')
    case 'proposedDraft':
    case 'returnedDraft':
    case 'failedDraft':
    case 'scheduledDraft':
      return step.groupId === ''
        ? hrefTo('organizationDraft', { draft: step.draftId })
        : hrefTo('groupDraft', { group: step.groupId, draft: step.draftId })
    case 'noSchema':
      return hrefTo('organizationSchema')
    case 'groupDraft':
      return hrefTo('groupReview', { group: step.groupId })
    case 'openInvitations':
    case 'expiredInvitations':
    case 'expiringInvitations':
      return hrefTo('collaboration', { collaboration: step.collaborationId })
  }
}

/** Steps for pending invitations, and whether all of them were read. */
const noInvitations = { steps: [] as readonly NextStep[], areAll: true }

async function loadInvitationSteps(portalId: string, signal: AbortSignal): Promise<typeof noInvitations> {
  const { entries, total } = await listPages<WireCollaboration>(collaborationsPath, 'collaborations', signal, 1)
  const hosted = entries.filter(({ collaborationHostPortalId }) => collaborationHostPortalId === portalId)
  const looked = await Promise.all(
    hosted.slice(0, maxCollaborations).map(async (collaboration) => {
      const path = `${collaborationPath(collaboration.id)}/invitations`
      const invitations = await listPages<WireInvitation>(path, 'collaborationInvitations', signal, 1)
      return {
        steps: listInvitationSteps(collaboration, invitations.entries, Date.now()),
        areAll: invitations.entries.length === invitations.total,
      }
    }),
  )
  return {
    steps: looked.flatMap(({ steps }) => steps),
    areAll: entries.length === total && looked.length === hosted.length && looked.every(({ areAll }) => areAll),
  }
}

customElements.define('cartulary-home', Home)
