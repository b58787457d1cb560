import { parsePortalUrl } from '../../../../src/collaborations/invitation.ts'
import { addressOf } from '../../../../src/collaborations/known-address.ts'

export const schemes = ['https', 'http'] as const
export type Scheme = (typeof schemes)[number]

/** Public root of a portal from typed text, with this scheme where the text has none; undefined if it is not valid. */
export function completeAddress(typed: string, scheme: Scheme): string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  return parsePortalUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`)
}

/** Typed text without the scheme that it begins with, and this scheme. */
export function splitAddress(typed: string): { readonly scheme: Scheme | undefined; readonly rest: string } {
  const [, scheme, rest = ''] = /^\s*(https?):\/\/(.*)$/is.exec(typed) ?? []
  return scheme ? { scheme: scheme.toLowerCase() as Scheme, rest } : { scheme: undefined, rest: typed }
}

/** Whether typed text names the own machine, where servers are rarely reached by https. */
export function isOwnMachine(typed: string): boolean {
  return /^\s*(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|\s*$)/i.test(typed)
}

/** Whether both are the address of one portal, however they are spelled. */
export function isSameGuest(one: string, other: string): boolean {
  const [first, second] = [parsePortalUrl(one), parsePortalUrl(other)]
  return first !== undefined && second !== undefined && addressOf(first) === addressOf(second)
}
