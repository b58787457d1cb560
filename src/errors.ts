import type { CountedLimit } from './limits.ts'
import { say } from './sentences/say.ts'
import type { Code } from './sentences/sentences.ts'

/** Every error that a client may get, by name. Messages of the contract exist only here. */

/** A sign-in that a limit refused, for the audit. */
export interface RefusedSignIn {
  /** Refusals with one bucket are counted together: the audit has one of them in each period. */
  readonly bucket: string
  /** Undefined for an unknown user. */
  readonly username?: string
  readonly portalId?: string
}

/** An error with the code and message of the API. Any other error that an operation throws is a bug. */
export class PortalError extends Error {
  override readonly name = 'PortalError'
  /** HTTP-like code of the envelope (description §7). */
  declare readonly code: number
  /** Present only where the contract gives one, such as `ORG_1132`. */
  declare readonly messageCode: string | undefined
  declare readonly details: readonly string[]
  /** Each cause, with its place or its cure, beside details that the contract fixes (chosen). */
  declare readonly reasons: readonly string[]
  /** Seconds after which a retry may succeed. */
  declare readonly retryAfterSeconds: number | undefined
  /** For the header Allow. */
  declare readonly allowedMethods: readonly string[]
  /** The limit that was reached, for the metrics. */
  declare readonly limit: CountedLimit | undefined
  declare readonly signIn: RefusedSignIn | undefined
  /** Present version of the category schema, where the caller expected another one (chosen). */
  declare readonly version: number | undefined
  /** Name of the error in OAuth, where the operation is one of it (observed). */
  declare readonly oauthError: string | undefined
  /** The privilege that the caller lacks, where it is one alone. */
  declare readonly privilege: string | undefined
  /** The parameter with which the caller may have it done nevertheless (chosen). */
  declare readonly acceptedWith: string | undefined
  /** Further members of the error, as the wire has them: both changes of a conflict, or the branches of a file (chosen). */
  declare readonly members: object | undefined
  /** Whether input or state was refused: the message on the wire is "Unable to <task>.", with the task of the endpoint. */
  declare readonly isOfTask: true | undefined

  constructor({ message, ...values }: Failure) {
    super(message)
    Object.assign(this, { details: [], reasons: [], allowedMethods: [] }, values)
  }

  /** Returns the same error with these reasons behind its own. */
  because(reasons: readonly string[]): PortalError {
    return reasons.length === 0 ? this : new PortalError({ ...failureOf(this), reasons: [...this.reasons, ...reasons] })
  }
}

/** The plain values of an error, of which it can be made again. */
export type Failure = Pick<PortalError, 'code' | 'message'> &
  Partial<Omit<PortalError, 'code' | 'because' | keyof Error>>

export function failureOf(error: PortalError): Failure {
  return { ...error, message: error.message }
}

/** Whether the error is a refusal of input or state. */
export function isOperationRefused(error: unknown): error is PortalError {
  return error instanceof PortalError && error.isOfTask === true
}

/** 400: invalid input, or a state that does not allow the operation, with one sentence for each reason (chosen). */
export function operationRefused(...details: readonly string[]): PortalError {
  return refusedWith({}, details)
}

/** 400: refused unless the caller insists, by the parameter of that name (chosen). */
export function refusedUnless(acceptedWith: string, detail: string): PortalError {
  return refusedWith({ acceptedWith }, [detail])
}

/** 400: a limit, with a sentence that names it (chosen). */
export function limitReached(limit: CountedLimit, detail: string): PortalError {
  return refusedWith({ limit }, [detail])
}

/** 400 with further values, such as members that the wire has (chosen). */
export function refusedWith(values: Partial<Failure>, details: readonly string[]): PortalError {
  return new PortalError({ code: 400, message: details.join(' '), details, ...values, isOfTask: true })
}

/** 404: an unknown or inaccessible portal, schema, collaboration or invitation (description §7). */
export function resourceNotFound(reasons: readonly string[] = []): PortalError {
  return new PortalError({ code: 404, message: say('notAccessible'), reasons })
}

/** 404: a version of a category schema that there was, and that the limits have removed, to who may see the versions (chosen). */
export function versionNotKept(version: number): PortalError {
  const { code, message } = resourceNotFound()
  return new PortalError({ code, message, details: [say('versionNotKept', { version })] })
}

/** 400: an unknown group, or one that the caller may not see (observed: a client matches this text). */
export function groupNotFound(): PortalError {
  return new PortalError({ code: 400, messageCode: 'COM_0003', message: say('groupNotAccessible') })
}

/** 400: an unknown user, or one that the caller may not see (observed: a client matches this text). */
export function userNotFound(): PortalError {
  return new PortalError({ code: 400, message: say('userNotAccessible') })
}

/** 400: an unknown item, or one that the caller may not see (documented; a client matches this text, as observed). */
export function itemNotFound(): PortalError {
  return new PortalError({ code: 400, messageCode: 'CONT_0001', message: say('itemNotAccessible') })
}

/** 400: an item that is protected from deletion (documented). */
export function itemProtected(): PortalError {
  return new PortalError({
    code: 400,
    messageCode: 'CONT_0048',
    message: say('itemProtected'),
  })
}

/** 400: a thumbnail, metadata and the like of an item (observed: a client goes on without it). */
export function itemInfoNotFound(): PortalError {
  const message = 'Item info file does not exist or is inaccessible.'
  return new PortalError({ code: 400, messageCode: 'CONT_0036', message })
}

/**
 * 403: the caller sees the resource but may not do this (observed). `missing` is the privilege that is lacking, which the
 * documentation of the operation names for everyone (chosen).
 */
export function permissionDenied(missing?: string): PortalError {
  return new PortalError({
    code: 403,
    messageCode: 'GWM_0003',
    message: say('noPermission'),
    privilege: missing,
    reasons: missing === undefined ? [] : [say('noPrivilege', { privilege: missing })],
  })
}

/** 403: an app calls as itself what only users may call (chosen). */
export function notForApps(): PortalError {
  return permissionDenied().because([say('notForApps')])
}

export const invalidTokenCode = 498

/** 498: an unknown, expired or revoked token, or two different ones (observed; the last chosen). */
export function tokenInvalid(reasons: readonly string[] = []): PortalError {
  return new PortalError({ code: invalidTokenCode, message: say('tokenInvalid'), reasons })
}

/** 499: no token where one is needed (observed). */
export function tokenRequired(): PortalError {
  return new PortalError({
    code: 499,
    messageCode: 'GWM_0003',
    message: say('tokenRequired'),
    details: [say('tokenRequired')],
  })
}

/** 400: the same for a wrong password, an unknown user and a disabled user (observed). */
export function signInFailed(details: readonly string[] = [say('signInFailed')]): PortalError {
  return new PortalError({
    code: 400,
    message: 'Unable to generate token.',
    details,
  })
}

/** The message code of what is wrong with an assign. */
export const schemaRefusalCode = 'ORG_1132'

/** 400 ORG_1132: a category schema that breaks a rule (description §7). */
export function categorySchemaRejected(details: readonly string[], reasons: readonly string[] = []): PortalError {
  const message = 'Unable to assign category schema.'
  return new PortalError({ code: 400, messageCode: schemaRefusalCode, message, details, reasons })
}

/** Operation on a category schema. */
export type SchemaTask = 'assign' | 'delete' | 'restore'

/**
 * 409: the caller expected another category schema than the present one, of this version (chosen). Every task has the code of
 * an assign (chosen).
 */
export function categorySchemaChanged(task: SchemaTask, detail: string, version: number): PortalError {
  const message = `Unable to ${task} category schema.`
  return new PortalError({ code: 409, messageCode: schemaRefusalCode, message, details: [detail], version })
}

/** 409: another person has saved the draft of a category schema meanwhile (chosen). */
export function draftChanged(detail: string): PortalError {
  return new PortalError({ code: 409, message: say('draftChanged'), details: [detail] })
}

/** 409: the caller confirms an app as it was before its last change (chosen). */
export function appChanged(detail: string): PortalError {
  return new PortalError({ code: 409, message: 'Unable to confirm app.', details: [detail] })
}

/** 409: a run of the caller is not done yet (chosen). */
export function runInProgress(): PortalError {
  return new PortalError({
    code: 409,
    message: 'Unable to import categories.',
    details: [say('importRunning')],
  })
}

/** An error of OAuth, with its name there; 400 unless a token is wrong (observed). */
export function oauthRefused(error: string, message: string, code = 400): PortalError {
  return new PortalError({ code, message, oauthError: error })
}

/** 400: an app that does not exist, or is of another organization (observed code). */
export function appNotAccessible(): PortalError {
  const message = say('appNotAccessible')
  return new PortalError({ code: 400, messageCode: 'GWM_0007', message })
}

/** 400: no browser session counts for the API (observed: a client goes on by itself). */
export function notSignedIn(): PortalError {
  return new PortalError({ code: 400, messageCode: 'OAUTH_0066', message: say('notSignedIn') })
}

/** 405, with the methods that are allowed, and why this one is not (chosen). */
export function methodNotAllowed(allowed: readonly string[], reason: string): PortalError {
  return new PortalError({ code: 405, message: say('methodNotAllowed'), reasons: [reason], allowedMethods: allowed })
}

/** 429: a rate limit, with the seconds to wait (chosen). */
export function tooManyRequests(limit: CountedLimit, retryAfterSeconds: number, signIn?: RefusedSignIn): PortalError {
  const reasons = [
    say(limit in tooMany ? tooMany[limit as keyof typeof tooMany] : 'requestsWaiting', {
      time: durationOf(retryAfterSeconds),
    }),
  ]
  return new PortalError({ code: 429, message: say('tooManyRequests'), reasons, retryAfterSeconds, limit, signIn })
}

/** Reasons of a limit's refusal: the same for usernames that exist and that do not. */
const tooMany = {
  signInFailures: 'failuresOfUsername',
  signInFailuresOfAccount: 'failuresOfAccount',
  signInFailuresOfAddress: 'failuresOfAddress',
  crossSiteSignInFailures: 'failuresOfPages',
  signInsOfAddress: 'signInsWaiting',
  requestsWaiting: 'requestsWaiting',
  schemaFilesWaiting: 'filesWaiting',
} as const satisfies { readonly [Name in CountedLimit]?: Code }

/** Whole minutes from two minutes on. */
function durationOf(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** 500: a bug. The client gets only the request id, under which the log has the error (chosen). */
export function unexpectedError(requestId: string): PortalError {
  return new PortalError({ code: 500, message: say('unexpected'), details: [requestId] })
}

/** 503: overload, or an outage of the storage (chosen). */
export function serviceUnavailable(limit?: CountedLimit): PortalError {
  const reasons = limit && limit in busy ? [say(busy[limit as keyof typeof busy], { time: '5 seconds' })] : []
  return unavailable(reasons, 5, limit)
}

/** Reasons of a 503, by the limit that others have used up. */
const busy = {
  requestsWaiting: 'waitedTooLong',
  schemaFilesWaiting: 'otherFilesWaiting',
} as const satisfies { readonly [Name in CountedLimit]?: Code }

/** 503: a server that ends, of several behind a proxy (chosen). */
export function serverEnding(): PortalError {
  const reasons = [say('serverEnding')]
  return unavailable(reasons, 1)
}

/** 503: a server of an older version than the tables (chosen). */
export function databaseNewer(): PortalError {
  const reasons = [say('databaseNewer')]
  return unavailable(reasons, 5)
}

/** 503: nothing is added to a disk that is nearly full (chosen). */
export function diskNearlyFull(): PortalError {
  const reasons = [say('diskNearlyFull')]
  return unavailable(reasons, 60, 'freeBytes')
}

function unavailable(reasons: readonly string[], retryAfterSeconds: number, limit?: CountedLimit): PortalError {
  const message = say('serviceUnavailable')
  return new PortalError({ code: 503, message, reasons, retryAfterSeconds, limit })
}

/** 413 (chosen). */
export function bodyTooLarge(maxBytes: number): PortalError {
  return new PortalError({
    code: 413,
    message: say('bodyTooLarge'),
    details: [say('bytesAllowed', { max: maxBytes })],
  })
}

/** 400: `f` is not one of the formats; the value is not echoed (chosen). */
export function formatUnknown(formats: readonly string[]): PortalError {
  return new PortalError({
    code: 400,
    message: 'Unable to answer in this format.',
    details: [`f: has to be one of ${formats.join(', ')}.`],
  })
}

/** HTTP that cannot be read as a request: 400, 408, 431 (chosen). */
export function requestMalformed(code: number, message: string): PortalError {
  return new PortalError({ code, message })
}

/** Returns the reason of a failure in the words of the error: for the log and the operator. */
export function reasonOf(error: unknown): string {
  // A name with several addresses fails for each one, and the whole error has no message.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
