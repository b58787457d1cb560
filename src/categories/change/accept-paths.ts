import { categorySchemaRejected } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { judgeMoves, type Move } from '../moves.ts'
import type { CategorySchema } from '../schema.ts'
import { listPaths } from '../schema-paths.ts'
import type { SchemaOwner } from '../store.ts'
import { type CarriedPaths, findLostPaths } from './paths.ts'

/** Ways to treat items whose category the new schema does not have: they keep it, the change is refused, or they lose it. */
export const removedCategoryPolicies = ['keep', 'refuse', 'clear'] as const
export type Vanishing = (typeof removedCategoryPolicies)[number]

/** Effect of a change on the paths that items carry. */
export interface PathChange {
  /** Paths of the schema that is replaced. */
  readonly before: ReadonlySet<string>
  readonly moves: readonly Move[]
  /** Paths that the items lose, as they are before the moves; none unless asked for. */
  readonly cleared: readonly string[]
}

/** The verdict on moves and on categories that vanish; `requireExpected` throws where another schema is present. */
export async function acceptPaths(
  items: CarriedPaths,
  owner: SchemaOwner,
  schemas: { readonly before: CategorySchema; readonly after: CategorySchema },
  { moves, vanishing }: { readonly moves: readonly Move[]; readonly vanishing: Vanishing },
  requireExpected: () => Promise<void>,
): Promise<PathChange> {
  const [before, after] = [new Set(listPaths(schemas.before)), new Set(listPaths(schemas.after))]
  const carried = new Set<string>()
  for (const { from } of moves) {
    if (!before.has(from) && (await items.isCarried(owner, from))) carried.add(from)
  }
  const problems = judgeMoves(moves, { before, after, isCarried: (path) => carried.has(path) })
  // A path that is unknown now may be one of the version that the caller expects.
  if (judgeMoves(moves, { after }).length === 0) await requireExpected()
  if (problems.length > 0) throw categorySchemaRejected(problems)
  const lost = vanishing === 'keep' ? [] : await findLostPaths(items, owner, { before, after, moves })
  if (vanishing === 'refuse' && lost.length > 0) throw categorySchemaRejected(lostSentences(lost))
  return { before, moves, cleared: lost }
}

/** Maximum number of paths that a refusal names (chosen). */
const maxNamed = 20

function lostSentences(lost: readonly string[]): readonly string[] {
  const sentences = lost.slice(0, maxNamed).map((path) => `vanishing: ${say('vanishingCarried', { path })}`)
  return lost.length > maxNamed ? [...sentences, say('vanishingFurther')] : sentences
}
