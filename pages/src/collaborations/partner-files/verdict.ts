import type {
  invitationVerdictShape,
  responseVerdictShape,
  WireInvitationResponseFile,
} from '../../../../src/http/shapes/collaborations/handshake.ts'
import type { WireInvitationView } from '../../../../src/http/shapes/collaborations/invitation.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'
import { ApiError } from '../../api/call.ts'
import { call, post } from '../../session/session.ts'
import { collaborationPath, invitationPath } from '../records.ts'
import type { KeyVerdict } from './key-comparison.ts'
import { maxFileLength, type PartnerFile, readPartnerFile } from './partner-file.ts'
import { type Cause, findCause } from './refusal.ts'

type InvitationAnswer = ValueOf<typeof invitationVerdictShape>
type ResponseAnswer = ValueOf<typeof responseVerdictShape>

interface Judged {
  readonly fingerprint: string
  readonly fingerprintHex: string
  readonly key: KeyVerdict
}

/** Verdict of the server on a file, before anything is changed. */
export type Verdict =
  | (Judged & { readonly kind: 'invitation'; readonly request: InvitationAnswer['invitationRequest'] })
  | (Judged & { readonly kind: 'response'; readonly response: ResponseAnswer['invitationResponse'] })

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

/**
 * Has the server validate a file, which changes nothing; a file that is refused only for a key other than the known one has both
 * keys in its verdict, for the person to compare. Throws `FileRefused`.
 */
export async function judgeFile(file: Blob, signal: AbortSignal): Promise<Verdict> {
  if (file.size > maxFileLength) throw new FileRefused('tooLong')
  const read = readPartnerFile(await file.text())
  if (read.kind === 'none') throw new FileRefused(read.problem)
  try {
    return await judge(read, file, false, signal).catch((error: unknown) => {
      if (error instanceof ApiError && error.acceptedWith === 'acceptNewKey') return judge(read, file, true, signal)
      throw error
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const cause = read.kind === 'response' ? await readCause(file, read.claims, signal) : undefined
    throw new FileRefused(undefined, error, cause)
  }
}

async function judge(
  { kind, claims: { collaborationId } }: Exclude<PartnerFile, { readonly kind: 'none' }>,
  file: Blob,
  acceptNewKey: boolean,
  signal: AbortSignal,
): Promise<Verdict> {
  if (kind === 'invitation') {
    const path = '/portals/self/validateCollaborationInvitation'
    const answer = await post<InvitationAnswer>(path, { invitationFile: file, acceptNewKey }, signal)
    const { hostKeyFingerprint: fingerprint, hostKeyFingerprintHex: fingerprintHex, hostKey: key } = answer
    return { kind, fingerprint, fingerprintHex, key, request: answer.invitationRequest }
  }
  const path = `${collaborationPath(collaborationId)}/validateInvitationResponse`
  const answer = await post<ResponseAnswer>(path, { invitationResponseFile: file, acceptNewKey }, signal)
  const { guestKeyFingerprint: fingerprint, guestKeyFingerprintHex: fingerprintHex, guestKey: key } = answer
  return { kind, fingerprint, fingerprintHex, key, response: answer.invitationResponse }
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
