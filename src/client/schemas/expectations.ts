import { isAtOrBelow } from '../../categories/change/paths.ts'
import { followMoves, type Move } from '../../categories/moves.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import { listPaths } from '../../categories/schema-paths.ts'
import { isObject } from '../../json-text.ts'
import { untried } from '../failure.ts'
import type { Place } from '../portals/place.ts'
import type { Portal } from '../portals/portal.ts'

/** A test of a schema, as a file has it. */
export interface Expectation {
  readonly expect?: string
  readonly forbid?: string
  /** A comparison, such as `>= 10`. */
  readonly items?: string
  readonly uncategorized?: string
}

/** A test with its outcome. `found` counts items, or is 1 or 0 for a path that is or is not there. */
export interface Outcome extends Expectation {
  readonly ok: boolean
  readonly found: number
}

const comparison = /^(>=|>|=|<=|<)\s*(\d{1,9})$/

function holds(found: number, wanted: string): boolean {
  const [, signs, number] = comparison.exec(wanted)!
  return signs!.includes(found > Number(number) ? '>' : found < Number(number) ? '<' : '=')
}

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
type Change = Readonly<{ before: CategorySchema; after: CategorySchema; moves: readonly Move[] }>
type Counted = Readonly<{ portal: Portal; place: Place }>

/** Runs tests on the schema after a change, with its items where a portal is given. */
export async function judge(tests: readonly Expectation[], change: Change, counted: Counted | undefined) {
  const after = new Set(listPaths(change.after))
  const outcomes: Outcome[] = []
  for (const test of tests) {
    const path = test.expect ?? test.forbid
    const isThere = path === undefined || after.has(path)
    const wanted = test.items ?? test.uncategorized
    if (wanted === undefined) {
      outcomes.push({ ...test, ok: isThere === (test.expect !== undefined), found: isThere ? 1 : 0 })
      continue
    }
    const found = counted ? await countItems(test.expect, change, after, counted) : 0
    outcomes.push({ ...test, ok: isThere && holds(found, wanted), found })
  }
  return outcomes
}

function countItems(path: string | undefined, { before, moves }: Change, after: Set<string>, counted: Counted) {
  const { portal, place } = counted
  const follow = followMoves(moves)
  const carried = [...new Set([...listPaths(before), ...moves.map(({ from }) => from), ...after])]
  return path === undefined
    ? portal.items.countOthers(place, carried, (one) => after.has(follow(one)))
    : portal.items.countCarrying(place, carried, (one) => isAtOrBelow(follow(one), path))
}

export function formatOutcome({ ok, found, ...test }: Outcome): string {
  const [word, subject = ''] = Object.entries(test).find(([name]) => name !== 'items')!
  const parts = [word, subject, ...(test.items === undefined ? [] : ['items', test.items])]
  const isCounted = countsItems(test)
  const seen = isCounted ? `found ${found}` : found === 1 ? 'it is there' : 'it is not there'
  return `${ok ? 'passed' : 'failed'}: ${parts.join(' ')}, ${seen}`
}
