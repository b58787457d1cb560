/** Kinds of refusals, each with a limit of its own: many of one kind hide none of another. */
export const refusalKinds = ['403', '409', 'other'] as const
export type RefusalKind = (typeof refusalKinds)[number]

/** The kind of a refusal with this code. */
export function refusalKindOf(outcome: number): RefusalKind {
  return refusalKinds.find((kind) => kind === String(outcome)) ?? 'other'
}
