import type { Caller } from '../../../support/portal/cast.ts'

/** An error as the envelope has it. */
export interface Refusal {
  readonly code: number
  readonly messageCode?: string
  readonly message: string
  readonly details: readonly string[]
}

/** What a caller gets. */
export type Outcome = 'ok' | Refusal

/** What every caller gets. */
export type Expected = Readonly<Record<Caller, Outcome>>

export const ok = 'ok'

export const tokenRequired: Refusal = {
  code: 499,
  messageCode: 'GWM_0003',
  message: 'Token Required',
  details: ['Token Required'],
}

export const tokenInvalid: Refusal = { code: 498, message: 'Invalid token.', details: [] }

export const notFound: Refusal = { code: 404, message: 'Resource does not exist or is inaccessible.', details: [] }

export const groupNotFound: Refusal = {
  code: 400,
  messageCode: 'COM_0003',
  message: 'Group does not exist or is inaccessible.',
  details: [],
}

export const forbidden: Refusal = {
  code: 403,
  messageCode: 'GWM_0003',
  message: 'You do not have permissions to access this resource or perform this operation.',
  details: [],
}

export const methodNotAllowed: Refusal = { code: 405, message: 'Method not allowed.', details: [] }

/** Who may call, and is told that it makes no sense now. */
export function unable(task: string, ...details: readonly string[]): Refusal {
  return { code: 400, message: `Unable to ${task}.`, details }
}

const ended = {
  unknownToken: tokenInvalid,
  expiredToken: tokenInvalid,
  revokedToken: tokenInvalid,
  disabledUser: tokenInvalid,
} as const

/** Nobody without a token that counts may call. */
export const signedOut = { anonymous: tokenRequired, ...ended } as const

/** A token is not needed; a bad one is refused all the same. */
export const openToAnonymous = { anonymous: ok, ...ended } as const

type Insider = 'viewer' | 'user' | 'publisher' | 'holder' | 'lacking' | 'everything' | 'administrator'
type Belonging = 'owner' | 'manager' | 'member'

/** Everybody of the organization, but for what follows it. */
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

/** Where no token is looked at. */
export const anyone: Expected = {
  anonymous: ok,
  unknownToken: ok,
  expiredToken: ok,
  revokedToken: ok,
  disabledUser: ok,
  outsider: ok,
  ...insiders(ok),
}
