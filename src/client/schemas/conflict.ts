import { isAtOrBelow } from '../../categories/change/paths.ts'
import type { Change } from '../../categories/diff/change.ts'
import { diffSchemas } from '../../categories/diff/diff.ts'
import { formatDiff } from '../../categories/diff/format-diff.ts'
import { mergeSchemas } from '../../categories/merge/merge.ts'
import { matchesOf } from '../../categories/merge/side.ts'
import { findProblems } from '../../categories/schema.ts'
import { CommandError } from '../failure.ts'
import { describePlace } from '../portals/place.ts'
import type { PresentSchema, SchemaChange } from '../portals/portal.ts'

/** The change made of the present schema: both changes together where they do not touch; undefined where they do. */
export function mergeChange(change: SchemaChange, present: PresentSchema): SchemaChange | undefined {
  const { before, after, moves, place } = change
  const origins = matchesOf(before.schema, after, moves).map((match) => match?.path ?? null)
  const theirs = { base: before.schema, theirs: present.schema, theirMoves: [] }
  const merged = mergeSchemas({ ...theirs, mine: after, origins, moves, choices: new Map() })
  const isRefused = findProblems(merged.schema.categorySchema, place.limits).length > 0
  if (merged.questions.length > 0 || isRefused) return undefined
  return { ...change, before: present, after: merged.schema, moves: merged.moves }
}

/** The error about a schema that has changed since the plan: their changes, ours, and what both touch. */
export function conflictOf({ before, after, moves, place }: SchemaChange, present: PresentSchema): CommandError {
  const theirs = diffSchemas(before.schema, present.schema, [])
  const ours = diffSchemas(before.schema, after, moves)
  const both = touchedByBoth(theirs.changes, ours.changes)
  const touched = shorten(both, 'nothing; --merge puts both together')
  const details = ['Since the plan:', ...linesOf(theirs), 'The plan:', ...linesOf(ours), 'Both touch:', ...touched]
  const members = { conflict: { theirs: theirs.changes, ours: ours.changes, both } }
  const sentence = `The schema of ${describePlace(place)} has changed since the plan; nothing was written.`
  return new CommandError(4, sentence, { details, members })
}

function linesOf(diff: ReturnType<typeof diffSchemas>): readonly string[] {
  return shorten(formatDiff(diff).split('\n').slice(0, -2), 'nothing')
}

/** Lines of one list, so that a refusal of 12 lines has all three (chosen). */
const maxListed = 2

function shorten(lines: readonly string[], none: string): readonly string[] {
  const rest = lines.length - maxListed
  const shown = lines.length === 0 ? [none] : lines.slice(0, maxListed)
  return [...shown, ...(rest > 0 ? [`and ${rest} more; --json has all`] : [])].map((line) => `  ${line}`)
}

function touchedByBoth(theirs: readonly Change[], ours: readonly Change[]): readonly string[] {
  const touched = (changes: readonly Change[]) =>
    changes.flatMap((change) => [change.path, ...('to' in change && typeof change.to === 'string' ? [change.to] : [])])
  const others = touched(theirs)
  const isTouched = (path: string) => others.some((other) => isAtOrBelow(path, other) || isAtOrBelow(other, path))
  return [...new Set(touched(ours).filter(isTouched))]
}
