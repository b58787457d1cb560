import type { permissionShape } from '../../../../src/http/shapes/directory/permission.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'

export type Verdict = ValueOf<typeof permissionShape>

/** The key of the word that answers the question. */
export function keyOfAnswer({ verdict, allowed }: Pick<Verdict, 'verdict' | 'allowed'>): 'yes' | 'no' | 'yesBut' {
  if (verdict === 'refusedNow') return 'yesBut'
  return allowed ? 'yes' : 'no'
}

/** The key of the sentence that says why, in the language of the person. */
export function keyOfReason({ verdict, privilege }: Pick<Verdict, 'verdict' | 'privilege'>) {
  return verdict === 'forbidden' && privilege !== undefined ? 'reason_lacking' : (`reason_${verdict}` as const)
}
