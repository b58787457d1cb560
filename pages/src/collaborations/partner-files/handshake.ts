import { callForFile, post } from '../../session/session.ts'
import { collaborationPath, nameResponse } from '../records.ts'
import type { Verdict } from './verdict.ts'

/** An invitation of another organization that this one has accepted. */
export interface Accepted {
  readonly name: 'accepted'
  readonly collaborationId: string
  /** The response; undefined until it is saved. */
  readonly file: Blob | undefined
  readonly fileName: string
}

/** A response of a guest that is imported. */
export interface Imported {
  readonly name: 'imported'
  readonly collaborationId: string
  readonly guest: string
}

/** Accepts the invitation, or imports the response. */
export async function acceptOrImport(
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

/** The signed response to an accepted invitation, for its host. */
export function exportResponse({ collaborationId }: Accepted): Promise<Blob> {
  return callForFile(`${collaborationPath(collaborationId)}/exportInvitationResponse`, {}, { method: 'POST' })
}
