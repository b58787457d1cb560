/** Kinds of refusals that are bounded each on its own: many of one hide none of another. */
export const refusalKinds = ['403', '409', 'other'] as const
export type RefusalKind = (typeof refusalKinds)[number]

/** The kind of a refusal with this code. */
export function refusalKindOf(outcome: number): RefusalKind {
  return refusalKinds.find((kind) => kind === String(outcome)) ?? 'other'
}
