import type { pendingDraftsShape } from '../../../src/http/shapes/categories/schema-draft.ts'
import type { WireInvitation } from '../../../src/http/shapes/collaborations/invitation.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import { stateOf } from '../collaborations/state.ts'

/** A pending task of the person, with the data to describe it. */
export type NextStep =
  | { readonly kind: 'attention' | 'groupInvitations' | 'applications'; readonly count: number }
  | { readonly kind: 'organizationDraft' | 'noSchema' }
  | {
      readonly kind: 'proposedDraft' | 'returnedDraft' | 'failedDraft' | 'scheduledDraft'
      readonly draftId: string
      readonly name: string
      readonly person: string
      /** Empty for a draft of the organization. */
      readonly groupId: string
      /** When it is published. */
      readonly ends?: number
    }
  | { readonly kind: 'groupDraft'; readonly groupId: string; readonly group: string }
  | {
      readonly kind: 'openInvitations' | 'expiredInvitations' | 'expiringInvitations'
      readonly count: number
      readonly collaborationId: string
      readonly collaboration: string
      /** When the first of them expires, in epoch milliseconds. */
      readonly ends?: number
    }

interface Group {
  readonly id: string
  readonly title: string
  readonly userMembership: { readonly applications: number }
}

/** Facts about the person, their groups and their drafts. */
export interface Situation {
  readonly groupInvitations: number
  readonly groups: readonly Group[]
  /** Keys of the owners of their drafts in this browser. */
  readonly draftOwners: readonly string[]
  /** Whether the organization has no categories, and the person may publish some. */
  readonly needsSchema: boolean
}

/** Lists the pending tasks of the person, the most personal first. */
export function listNextSteps(situation: Situation): readonly NextStep[] {
  const { groupInvitations, groups, draftOwners, needsSchema } = situation
  const applications = groups.reduce((sum, { userMembership }) => sum + userMembership.applications, 0)
  const counts = [
    { kind: 'groupInvitations', count: groupInvitations },
    { kind: 'applications', count: applications },
  ] as const
  const hasDraft = draftOwners.includes('organization')
  return [
    ...counts.filter(({ count }) => count > 0),
    ...(hasDraft ? [{ kind: 'organizationDraft' } as const] : []),
    // Drafts of deleted groups, and of groups that the person has left, are not listed.
    ...groups
      .filter(({ id }) => draftOwners.includes(`group:${id}`))
      .map(({ id, title }) => ({ kind: 'groupDraft', groupId: id, group: title }) as const),
    ...(needsSchema && !hasDraft ? [{ kind: 'noSchema' } as const] : []),
  ]
}

/** Milliseconds before their end in which open invitations are listed as expiring (chosen): they are valid for three days at most. */
const expiringFor = 86_400_000

/** Lists the pending invitations of a collaboration: expired ones, those that soon will be, and others that wait for the guest. */
export function listInvitationSteps(
  collaboration: { readonly id: string; readonly name: string },
  invitations: readonly Pick<WireInvitation, 'status' | 'expiration'>[],
  now: number,
): readonly NextStep[] {
  const expired = invitations.filter((invitation) => stateOf(invitation, now) === 'expired')
  const open = invitations.filter((invitation) => stateOf(invitation, now) === 'open')
  const [expiring = [], others = []] = [true, false].map((soon) =>
    open.filter(({ expiration }) => expiration - now < expiringFor === soon),
  )
  const endOf = (some: typeof open) => ({
    count: some.length,
    ends: Math.min(...some.map(({ expiration }) => expiration)),
  })
  const about = { collaborationId: collaboration.id, collaboration: collaboration.name }
  const steps = [
    { kind: 'expiredInvitations', count: expired.length, ...about },
    { kind: 'expiringInvitations', ...endOf(expiring), ...about },
    { kind: 'openInvitations', ...endOf(others), ...about },
  ] as const
  return steps.filter(({ count }) => count > 0)
}

export type PendingDraft = ValueOf<typeof pendingDraftsShape>['drafts'][number]

/** Lists the drafts on the server that wait for the person: proposed by another one, or their own that have a date, were sent back or refused. */
export function listDraftSteps(drafts: readonly PendingDraft[], username: string): readonly NextStep[] {
  return drafts.flatMap((draft): NextStep[] => {
    const { id: draftId, name, state, stateBy, reviewer, modifiedBy, publishAt, groupId = '' } = draft
    const about = { draftId, name, person: stateBy ?? '', groupId }
    const isOwn = modifiedBy === username
    if (state === 'proposed' && stateBy !== username && (reviewer ?? username) === username) {
      return [{ kind: 'proposedDraft', ...about }]
    }
    if (state === 'scheduled' && (isOwn || stateBy === username)) {
      return [{ kind: 'scheduledDraft', ...about, ...(publishAt !== null && { ends: publishAt }) }]
    }
    if (state === 'returned' && isOwn) return [{ kind: 'returnedDraft', ...about }]
    return state === 'failed' && (isOwn || stateBy === username) ? [{ kind: 'failedDraft', ...about }] : []
  })
}

/** Steps in the order of their ends; those without one stay before them. */
export function byEnd(steps: readonly NextStep[]): readonly NextStep[] {
  const endOf = (step: NextStep) => ('ends' in step && step.ends) || 0
  return steps.toSorted((one, other) => endOf(one) - endOf(other))
}
