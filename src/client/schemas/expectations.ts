import { isAtOrBelow } from '../../categories/change/paths.ts'
import { followMoves, type Move } from '../../categories/moves.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import { listPaths } from '../../categories/schema-paths.ts'
import { isObject } from '../../json-text.ts'
import { untried } from '../failure.ts'
import type { Place, Portal } from '../portals/portal.ts'

/** A test of a schema, as a file has it. */
export interface Expectation {
  readonly expect?: string
  readonly forbid?: string
  /** A comparison, such as `>= 10`. */
  readonly items?: string
  readonly uncategorized?: string
}

/** A test with its outcome. `found` counts items, or is 1 or 0 for a path that is or is not there; null if not counted. */
export interface Outcome extends Expectation {
  readonly ok: boolean
  readonly found: number | null
}

const comparisons: Readonly<Record<string, (found: number, wanted: number) => boolean>> = {
  '>=': (found, wanted) => found >= wanted,
  '>': (found, wanted) => found > wanted,
  '=': (found, wanted) => found === wanted,
  '<=': (found, wanted) => found <= wanted,
  '<': (found, wanted) => found < wanted,
}
const comparison = /^(>=|>|=|<=|<)\s*(\d{1,9})$/

/** Reads the tests of a file; malformed ones are named by their position. */
export function parseExpectations(value: unknown, source: string): readonly Expectation[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw untried(`${source}: tests is no list.`)
  return value.map((test, at) => {
    const problem = findProblem(test)
    if (problem !== undefined) throw untried(`${source}: tests/${at} ${problem}.`)
    return test as Expectation
  })
}

function findProblem(test: unknown): string | undefined {
  if (!isObject(test)) return 'is no object'
  const { expect, forbid, items, uncategorized, ...others } = test
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return `has the unknown word ${unknown}`
  const subjects = [expect, forbid, uncategorized].filter((one) => one !== undefined)
  if (subjects.length !== 1) return 'needs one of expect, forbid and uncategorized'
  const path = expect ?? forbid
  if (path !== undefined && (typeof path !== 'string' || !/^\/[^/]/.test(path))) return 'has a path without a slash'
  if (items !== undefined && expect === undefined) return 'has items without expect'
  const bad = [items, uncategorized].find((one) => one !== undefined && !comparison.test(String(one)))
  return bad === undefined ? undefined : `has ${JSON.stringify(bad)}, which is no comparison such as ">= 10"`
}

/** Whether a test needs items to be counted. */
export function countsItems({ items, uncategorized }: Expectation): boolean {
  return items !== undefined || uncategorized !== undefined
}

/** Schemas between which items are counted: they carry paths of the first, and follow the moves. */
interface Change {
  readonly before: CategorySchema
  readonly after: CategorySchema
  readonly moves: readonly Move[]
}

interface Counted {
  readonly portal: Portal
  readonly place: Place
}

/** Runs tests on the schema after a change, with its items where a portal is given. */
export async function judge(
  expectations: readonly Expectation[],
  change: Change,
  counted: Counted | undefined,
): Promise<readonly Outcome[]> {
  const after = new Set(listPaths(change.after))
  const outcomes: Outcome[] = []
  for (const test of expectations) {
    const path = test.expect ?? test.forbid
    if (path !== undefined && test.items === undefined) {
      const isThere = after.has(path)
      outcomes.push({ ...test, ok: isThere === (test.expect !== undefined), found: isThere ? 1 : 0 })
      continue
    }
    const found = counted ? await countItems(test, change, after, counted) : null
    const [, sign, wanted] = comparison.exec(test.items ?? test.uncategorized!)!
    const isThere = path === undefined || after.has(path)
    outcomes.push({ ...test, ok: isThere && found !== null && comparisons[sign!]!(found, Number(wanted)), found })
  }
  return outcomes
}

async function countItems(
  { expect: path }: Expectation,
  { before, moves }: Change,
  after: ReadonlySet<string>,
  { portal, place }: Counted,
): Promise<number | null> {
  const follow = followMoves(moves)
  const carried = [...new Set([...listPaths(before), ...moves.map(({ from }) => from), ...after])]
  if (path !== undefined) {
    return portal.countItems(
      place,
      coverOf(carried, (one) => isAtOrBelow(follow(one), path)),
    )
  }
  const categorized = await portal.countItems(
    place,
    coverOf(carried, (one) => after.has(follow(one))),
  )
  const all = await portal.countItems(place)
  return categorized === null || all === null ? null : all - categorized
}

/**
 * The paths whose items, with those below them, are exactly the wanted ones. A path that has both wanted and other ones below it
 * is more than one search can tell: then more paths come back than a search takes.
 */
function coverOf(paths: readonly string[], isWanted: (path: string) => boolean): readonly string[] {
  const isWhole = (top: string) => paths.every((path) => !isAtOrBelow(path, top) || isWanted(path))
  const wanted = paths.filter(isWanted)
  const whole = wanted.filter(isWhole)
  if (!wanted.every((path) => whole.some((top) => isAtOrBelow(path, top)))) return paths.concat(Array(9).fill('/'))
  return whole.filter((path) => !whole.some((top) => top !== path && isAtOrBelow(path, top)))
}

/** A line about a test. */
export function formatOutcome({ ok, found, expect, forbid, items, uncategorized }: Outcome): string {
  const wanted = items ?? uncategorized
  const isThere = found === 1 ? 'it is there' : 'it is not there'
  const seen = wanted === undefined ? isThere : found === null ? 'cannot be counted by one search' : `found ${found}`
  const [word, subject] =
    expect !== undefined ? ['expect', expect] : forbid !== undefined ? ['forbid', forbid] : ['uncategorized', '']
  const parts = [word, subject, items === undefined ? '' : 'items', wanted ?? ''].filter((part) => part !== '')
  return `${ok ? 'passed' : 'failed'}: ${parts.join(' ')}, ${seen}`
}
