import type { permissionShape } from '../../../../src/http/shapes/directory/permission.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'

export type Verdict = ValueOf<typeof permissionShape>

/** Key of the text that answers the question. */
export function keyOfAnswer({ verdict, allowed }: Pick<Verdict, 'verdict' | 'allowed'>): 'yes' | 'no' | 'yesBut' {
  if (verdict === 'refusedNow') return 'yesBut'
  return allowed ? 'yes' : 'no'
}

/** Key of the text that gives the reason. */
export function keyOfReason({ verdict, privilege }: Pick<Verdict, 'verdict' | 'privilege'>) {
  return verdict === 'forbidden' && privilege !== undefined ? 'reason_lacking' : (`reason_${verdict}` as const)
}
