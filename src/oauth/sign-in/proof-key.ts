import { sha256Of } from '../../digest.ts'

/** A client proves by the text behind it that the code is its own (RFC 7636). */
export interface Challenge {
  readonly challenge: string
  readonly method: 'S256' | 'plain'
}

/** A verifier, and so a challenge of either method, has these characters (RFC 7636 §4.1). */
export const challengePattern = /^[A-Za-z0-9._~-]{43,128}$/

/** Whether the verifier is that of the challenge; one without the other is not (RFC 9700 §2.1.1). */
export function proves(verifier: string | undefined, challenge: Challenge | undefined): boolean {
  if (!challenge || verifier === undefined) return !challenge && verifier === undefined
  if (challenge.method === 'plain') return verifier === challenge.challenge
  return Buffer.from(sha256Of(verifier), 'hex').toString('base64url') === challenge.challenge
}
