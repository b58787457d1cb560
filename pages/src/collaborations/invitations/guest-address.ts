import { parsePortalUrl } from '../../../../src/collaborations/invitation.ts'

/** Public root of a portal from typed text, with or without `https://`; undefined if it is not valid. */
export function completeAddress(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  return parsePortalUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
}
