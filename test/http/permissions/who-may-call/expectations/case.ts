import type { Privilege } from '../../../../../src/call/privilege.ts'
import { random } from '../../../../../src/secrets/random.ts'
import { everyPrivilege, type Fixture, targets, type Wanted } from '../../../../support/portal/actors.ts'
import type { Hosted } from '../../../../support/portal/hosted.ts'
import type { Parameters } from '../../../../support/portal/portal.ts'
import { type Expected, forbidden, type Outcome } from './outcomes.ts'

/** A row of the operation table on one kind of resource, with what every caller gets. */
export interface Case {
  /** The resource, in words. */
  readonly on: string
  /** Whether the organization is public; private if absent. */
  readonly access?: 'public'
  /** Privileges that a custom role needs; empty where none suffices, or where nothing is needed. */
  readonly privileges: readonly Privilege[]
  /** Privileges that the custom role with all the others lacks; the last of `privileges` if absent. */
  readonly lacking?: readonly Privilege[]
  /** Ids in the path, where they are not the usual ones of the fixture. */
  ids?(fixture: Fixture, username: string): Readonly<Record<string, string>>
  /** Parameters with which the call succeeds. */
  parameters?(fixture: Fixture): Parameters
  readonly expected: Expected
  /** Outcome for apps, where it differs from that for users. */
  readonly apps?: Outcome
  /** Outcome for an app with every privilege, where it differs from that for the custom role. */
  readonly mightyApp?: Outcome
}

/** Expected outcomes of each row of the operation table, by its id. */
export type Expectations = Readonly<Record<string, readonly Case[]>>

/** Ids that a path has unless its case says otherwise. */
export function usualIds(fixture: Fixture): Readonly<Record<string, string>> {
  const { portalId, roleId, groups, ours, groupInvitationId, notificationId, spareToken, clientId, jobId } = fixture
  const { templateName, drafts, hooks } = fixture
  const sessionId = random.hashToken(spareToken).slice(0, 32)
  const requests = { groupInvitationId, notificationId }
  const others = {
    draftId: drafts.portal,
    roleId,
    clientId,
    jobId,
    templateName,
    sessionId,
    groupId: groups.private,
    username: targets.user,
  }
  return { portalId, ...idsOf(ours), ...hooks.ours, ...requests, ...others }
}

/** Ids that a path below a collaboration has. */
export function idsOf({ collaborationId, workspaceId, invitationId, participantId }: Hosted) {
  return { collaborationId, workspaceId, invitationId, participantId }
}

/** The custom roles that the case is tried with. */
export function wantedRoles({ privileges, lacking = privileges.slice(-1) }: Case): Wanted {
  return { holder: privileges, lacking: everyPrivilege.filter((privilege) => !lacking.includes(privilege)) }
}

/** The case, and the same in a public organization: there the outsider learns that the organization exists. */
export function inEitherOrganization(one: Case): readonly Case[] {
  const expected = { ...one.expected, outsider: forbidden }
  return [one, { ...one, on: `${one.on}, if it is public`, access: 'public', expected }]
}
