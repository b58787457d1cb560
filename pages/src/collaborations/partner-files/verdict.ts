import type {
  WireInvitationFile,
  WireInvitationResponseFile,
} from '../../../../src/http/shapes/collaborations/handshake.ts'
import type { WireInvitationView } from '../../../../src/http/shapes/collaborations/invitation.ts'
import { ApiError } from '../../api/call.ts'
import { call, post } from '../../session/session.ts'
import { collaborationPath, invitationPath } from '../records.ts'
import type { KeyVerdict } from './key-comparison.ts'
import { maxFileLength, type PartnerFile, readPartnerFile } from './partner-file.ts'
import { type Cause, findCause } from './refusal.ts'

interface Judged {
  readonly fingerprint: string
  readonly fingerprintHex: string
  readonly key: KeyVerdict
}

/** Verdict of the server on a file, before anything is changed. */
export type Verdict =
  | (Judged & { readonly kind: 'invitation'; readonly request: WireInvitationFile['invitationRequest'] })
  | (Judged & { readonly kind: 'response'; readonly response: WireInvitationResponseFile['invitationResponse'] })

/** Refusal of a file: by this page, or by the server with the cause from the record of the invitation. */
export class FileRefused extends Error {
  readonly problem: Extract<PartnerFile, { readonly kind: 'none' }>['problem'] | undefined
  readonly answer: ApiError | undefined
  readonly causeInRecord: Cause | undefined

  constructor(problem: FileRefused['problem'], answer?: ApiError, causeInRecord?: Cause) {
    super('The file is refused.')
    this.name = 'FileRefused'
    this.problem = problem
    this.answer = answer
    this.causeInRecord = causeInRecord
  }
}

interface InvitationAnswer {
  readonly hostKeyFingerprint: string
  readonly hostKeyFingerprintHex: string
  readonly hostKey: KeyVerdict
  readonly invitationRequest: WireInvitationFile['invitationRequest']
}

interface ResponseAnswer {
  readonly guestKeyFingerprint: string
  readonly guestKeyFingerprintHex: string
  readonly guestKey: KeyVerdict
  readonly invitationResponse: WireInvitationResponseFile['invitationResponse']
}

/**
 * Has the server validate a file, which changes nothing; a file that is refused only for a key other than the known one has both
 * keys in its verdict, for the person to compare. Throws `FileRefused`.
 */
export async function judgeFile(file: Blob, signal: AbortSignal): Promise<Verdict> {
  if (file.size > maxFileLength) throw new FileRefused('tooLong')
  const read = readPartnerFile(await file.text())
  if (read.kind === 'none') throw new FileRefused(read.problem)
  const judge = (acceptNewKey: boolean) =>
    read.kind === 'invitation'
      ? judgeInvitation(file, acceptNewKey, signal)
      : judgeResponse(file, read.claims.collaborationId, acceptNewKey, signal)
  try {
    return await judge(false).catch((error: unknown) => {
      if (error instanceof ApiError && error.acceptedWith === 'acceptNewKey') return judge(true)
      throw error
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const cause = read.kind === 'response' ? await readCause(file, read.claims, signal) : undefined
    throw new FileRefused(undefined, error, cause)
  }
}

async function judgeInvitation(invitationFile: Blob, acceptNewKey: boolean, signal: AbortSignal): Promise<Verdict> {
  const answer = await post<InvitationAnswer>(
    '/portals/self/validateCollaborationInvitation',
    { invitationFile, acceptNewKey },
    signal,
  )
  const { hostKeyFingerprint: fingerprint, hostKeyFingerprintHex: fingerprintHex, hostKey: key } = answer
  return { kind: 'invitation', fingerprint, fingerprintHex, key, request: answer.invitationRequest }
}

async function judgeResponse(
  invitationResponseFile: Blob,
  collaborationId: string,
  acceptNewKey: boolean,
  signal: AbortSignal,
): Promise<Verdict> {
  const answer = await post<ResponseAnswer>(
    `${collaborationPath(collaborationId)}/validateInvitationResponse`,
    { invitationResponseFile, acceptNewKey },
    signal,
  )
  const { guestKeyFingerprint: fingerprint, guestKeyFingerprintHex: fingerprintHex, guestKey: key } = answer
  return { kind: 'response', fingerprint, fingerprintHex, key, response: answer.invitationResponse }
}

/** Reads the cause of the refusal from the record of the invitation; undefined if that is not readable. */
async function readCause(
  file: Blob,
  { collaborationId, invitationId }: { readonly collaborationId: string; readonly invitationId: string },
  signal: AbortSignal,
): Promise<Cause | undefined> {
  try {
    const invitation = await call<WireInvitationView>(invitationPath(collaborationId, invitationId), {}, { signal })
    const { invitationResponse } = JSON.parse(await file.text()) as WireInvitationResponseFile
    const digest = await digestOf(invitation.invitationString)
    return findCause(invitation, invitationResponse.invitationDigest === digest, Date.now())
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

async function digestOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
