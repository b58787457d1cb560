import { expect } from 'vitest'

/** The errors of the contract as they stand on the wire, for whole-answer comparisons. */

/** An error as the envelope has it. */
export interface Refusal {
  readonly code: number
  readonly messageCode?: string
  readonly message: string
  readonly details: readonly string[]
}

interface Envelope {
  readonly error: Refusal
}

/** An envelope with this error, and any reasons beside what the contract fixes. */
export function withReasons(error: Refusal): Envelope {
  return { error: expect.toSatisfy(({ reasons: _, ...fixed }) => isSame(fixed, error), JSON.stringify(error)) }
}

function isSame(one: object, other: object): boolean {
  const sorted = (error: object) => JSON.stringify(Object.entries(error).toSorted())
  return sorted(one) === sorted(other)
}

export const forbidden: Refusal = {
  code: 403,
  messageCode: 'GWM_0003',
  message: 'You do not have permissions to access this resource or perform this operation.',
  details: [],
}

export const permissionDenied = withReasons(forbidden)

export const resourceNotFound: Envelope = {
  error: { code: 404, message: 'Resource does not exist or is inaccessible.', details: [] },
}

export const groupNotFound: Envelope = {
  error: { code: 400, messageCode: 'COM_0003', message: 'Group does not exist or is inaccessible.', details: [] },
}

export const userNotFound: Envelope = {
  error: { code: 400, message: 'User does not exist or is inaccessible.', details: [] },
}

export const itemNotFound: Envelope = {
  error: { code: 400, messageCode: 'CONT_0001', message: 'Item does not exist or is inaccessible.', details: [] },
}

export const tokenRequired: Envelope = {
  error: { code: 499, messageCode: 'GWM_0003', message: 'Token Required', details: ['Token Required'] },
}

export const tokenInvalid: Envelope = { error: { code: 498, message: 'Invalid token.', details: [] } }

export const wrongMethod: Refusal = { code: 405, message: 'Method not allowed.', details: [] }

export const methodNotAllowed = withReasons(wrongMethod)

export const tooManyRequests = withReasons({ code: 429, message: 'Too many requests.', details: [] })

export const signInFailed: Envelope = {
  error: { code: 400, message: 'Unable to generate token.', details: ['Invalid username or password.'] },
}

/** "Unable to <task>." with what is wrong. */
export function refused(task: string, ...details: readonly string[]): Envelope {
  return { error: { code: 400, message: `Unable to ${task}.`, details } }
}
