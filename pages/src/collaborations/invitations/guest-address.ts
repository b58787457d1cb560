import { parsePortalUrl } from '../../../../src/collaborations/invitation.ts'

/** The public root of a portal as a person types it, `https://` left off or not; undefined if it can be none. */
export function completeAddress(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  return parsePortalUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
}
