import type { Call, Caller } from '../directory/caller.ts'
import type { DirectoryStore } from '../directory/store.ts'
import { operationRefused } from '../errors.ts'
import { accept, type Parsed } from '../input.ts'
import type { Collaboration } from './collaboration.ts'
import { findTransition, type Invitation } from './invitation.ts'
import { type CollaborationId, requireHostedCollaboration, requireKeyOf } from './operations.ts'
import { findResponseProblem, type InvitationResponse, readResponse, unknownInvitation } from './response.ts'
import type { VerifiedFile } from './signature.ts'
import type { CollaborationStore } from './store.ts'

/** The host's side of the handshake, after the guest has answered. */

interface Needs {
  readonly directory: DirectoryStore
  readonly collaborations: CollaborationStore
}

interface ReceivedResponse extends CollaborationId {
  readonly file: Parsed<VerifiedFile>
}

/** A response that the host may import, with the fingerprint that its administrators compare with the guest's. */
export interface ResponseVerdict {
  readonly caller: Caller
  readonly collaboration: Collaboration
  readonly invitation: Invitation
  readonly response: InvitationResponse
  readonly fingerprint: string
}

/** The very verdict that importing would give; changes nothing (contract §4). */
export async function validateResponse(stores: Needs, call: Call, input: ReceivedResponse): Promise<ResponseVerdict> {
  const { caller, portal, collaboration } = await requireHostedCollaboration(stores, call, input)
  const file = accept(input.file)
  const response = readResponse(file)
  if ('problem' in response) throw operationRefused(response.problem)
  const { collaborationId } = collaboration
  const found = await stores.collaborations.findInvitation(response.id)
  const invitation = found?.collaborationId === collaborationId ? found : undefined
  const problem = findResponseProblem(response, {
    hostPortalId: portal.portalId,
    collaborationId,
    invitation,
    isParticipant: (await stores.collaborations.findParticipant(collaborationId, response.guestPortalId)) !== undefined,
    now: call.now,
  })
  if (problem !== undefined || !invitation) throw operationRefused(problem ?? unknownInvitation)
  await requireKeyOf(stores, response.guestPortalId, file)
  return { caller, collaboration, invitation, response, fingerprint: file.fingerprint }
}

/** Makes the guest a participant, in one step with the end of its invitation: never one without the other. */
export async function importResponse(stores: Needs, call: Call, input: ReceivedResponse): Promise<ResponseVerdict> {
  const verdict = await validateResponse(stores, call, input)
  const { caller, collaboration, invitation, response } = verdict
  const transition = findTransition(invitation, 'import', call.now)
  if (!('to' in transition)) throw operationRefused('The response does not import.')
  const changed: Invitation = {
    ...invitation,
    state: transition.to,
    guestPortalId: response.guestPortalId,
    modifiedAt: call.now,
  }
  const step = {
    event: 'import',
    from: invitation.state,
    to: transition.to,
    username: caller.username,
    at: call.now,
  } as const
  // Somebody else was first: what they left decides anew.
  if (!(await stores.collaborations.changeInvitation({ from: invitation, to: changed, step }))) {
    return importResponse(stores, call, input)
  }
  const { collaborationId } = collaboration
  const known = new Set(
    (await stores.collaborations.listWorkspaces(collaborationId)).map(({ workspaceId }) => workspaceId),
  )
  await stores.collaborations.addParticipant(
    {
      collaborationId,
      portalId: response.guestPortalId,
      portalName: response.guestPortalName,
      portalUrl: response.guestPortalUrl,
      role: 'Guest',
      contact: {
        firstName: response.guestContactFirstname,
        lastName: response.guestContactLastname,
        email: response.guestContactEmailAddress,
      },
      createdAt: call.now,
      modifiedAt: call.now,
    },
    invitation.workspaces.filter(({ workspaceId }) => known.has(workspaceId)),
  )
  return verdict
}
