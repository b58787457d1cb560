import type { Caller } from '../../../../support/portal/actors.ts'
import * as envelopes from '../../../../support/portal/envelopes.ts'
import { type Refusal, refused } from '../../../../support/portal/envelopes.ts'

/** Outcome of a call. */
export type Outcome = 'ok' | Refusal

/** Outcome for every caller. */
export type Expected = Readonly<Record<Exclude<Caller, AppCaller>, Outcome>>

/** Apps, whose outcomes follow from those of users. */
export type AppCaller = 'app' | 'mightyApp'

export const ok = 'ok'

export type { Refusal }

/** The errors alone, without their envelopes. */
export const { error: tokenRequired } = envelopes.tokenRequired
export const { error: tokenInvalid } = envelopes.tokenInvalid
export const { error: notFound } = envelopes.resourceNotFound
export const { error: itemNotFound } = envelopes.itemNotFound
export const { error: groupNotFound } = envelopes.groupNotFound
export const { error: userNotFound } = envelopes.userNotFound
export const { forbidden, wrongMethod: methodNotAllowed } = envelopes

/** The caller may call, and it makes no sense now. */
export function unable(task: string, ...details: readonly string[]): Refusal {
  return refused(task, ...details).error
}

const ended = {
  unknownToken: tokenInvalid,
  expiredToken: tokenInvalid,
  revokedToken: tokenInvalid,
  disabledUser: tokenInvalid,
} as const

/** Outcomes where a caller needs a valid token. */
export const signedOut = { anonymous: tokenRequired, ...ended } as const

/** A token is not needed; a bad one is refused all the same. */
export const openToAnonymous = { anonymous: ok, ...ended } as const

type Insider = 'viewer' | 'user' | 'publisher' | 'holder' | 'lacking' | 'everything' | 'administrator'
type Belonging = 'owner' | 'manager' | 'member'

/** One outcome for all callers of the organization, unless later entries override it. */
export function insiders<Given extends Outcome>(outcome: Given): Readonly<Record<Insider | Belonging, Given>> {
  return {
    viewer: outcome,
    user: outcome,
    publisher: outcome,
    holder: outcome,
    lacking: outcome,
    everything: outcome,
    administrator: outcome,
    owner: outcome,
    manager: outcome,
    member: outcome,
  }
}

/** Administrators, and custom roles with the privilege. */
export const governors = { holder: ok, everything: ok, administrator: ok } as const

/** Outcomes where no token is looked at. */
export const anyone: Expected = {
  anonymous: ok,
  unknownToken: ok,
  expiredToken: ok,
  revokedToken: ok,
  disabledUser: ok,
  outsider: ok,
  ...insiders(ok),
}

const noUser: Refusal = {
  code: 400,
  messageCode: 'OAUTH_0066',
  message: 'No signed in user found.',
  details: [],
}

/** Outcomes where no browser session counts. */
export const noOneSignedIn = Object.fromEntries(Object.keys(anyone).map((caller) => [caller, noUser])) as Expected
