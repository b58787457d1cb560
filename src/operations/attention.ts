/** Conditions that need an operator, named as in log, metrics, figures and pages. */
export const conditions = [
  'backupFailed',
  'certificateEnds',
  'databaseUnreachable',
  'diskLow',
  'jobStalled',
  'mailFailed',
  'replicaFailed',
  'secretEnds',
] as const
export type Condition = (typeof conditions)[number]

/** Record of the conditions that a server has found: written by its watch, read by metrics and figures. */
export interface Attention {
  /** Conditions that hold now, each with the time at which it was found, in epoch milliseconds. */
  list(): readonly { readonly condition: Condition; readonly since: number }[]
  /** Records whether a condition holds; returns whether that is new. */
  record(condition: Condition, holds: boolean, now: number): boolean
}

export function openAttention(): Attention {
  const found = new Map<Condition, number>()
  return {
    list: () =>
      conditions.flatMap((condition) => {
        const since = found.get(condition)
        return since === undefined ? [] : [{ condition, since }]
      }),
    record(condition, holds, now) {
      if (holds === found.has(condition)) return false
      if (holds) found.set(condition, now)
      else found.delete(condition)
      return true
    },
  }
}
