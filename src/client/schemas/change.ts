import type { SchemaPlan } from '../../categories/change/plan.ts'
import { diffSchemas } from '../../categories/diff/diff.ts'
import { hashOf } from '../../categories/history/document-hash.ts'
import type { Move } from '../../categories/moves.ts'
import { findProblems } from '../../categories/schema.ts'
import { isObject } from '../../json-text.ts'
import type { Call } from '../command-line/run.ts'
import { CommandError, refused, untried } from '../failure.ts'
import { parseJson, readText } from '../files/file.ts'
import { keptSchema, type PlanFile, sealPlan } from '../files/plan-file.ts'
import { readBytes } from '../files/read-file.ts'
import { readRepository } from '../files/repository.ts'
import { parsePlace } from '../portals/place.ts'
import type { Portal, SchemaChange } from '../portals/portal.ts'
import { replaceBranches, requireWithin } from './branches.ts'
import { type Expectation, formatOutcome, judge, type Outcome, parseExpectations } from './expectations.ts'
import type { Source, Sources } from './source.ts'

/** A change that is asked for, and its tests; nothing is planned yet. */
export interface AskedChange {
  readonly portal: Portal
  readonly change: SchemaChange
  readonly only: readonly string[]
  readonly expectations: readonly Expectation[]
}

/** A change with what it would do, and the outcome of its tests. */
export interface PlannedChange extends AskedChange {
  readonly plan: SchemaPlan
  readonly outcomes: readonly Outcome[]
  readonly isEmpty: boolean
}

export function namesOf(call: Call) {
  const [source] = call.positionals
  const to = call.text('to')
  if (source === undefined) throw untried(`cartulary ${call.name} needs a source, or --all.`)
  if (to === undefined) throw untried(`cartulary ${call.name} needs --to <place>.`)
  return { source, to }
}

/** Reads both sides of a change, and puts the result together. */
export async function askChange(
  call: Call,
  sources: Sources,
  { source, to }: ReturnType<typeof namesOf>,
): Promise<AskedChange> {
  const declared = await readMoves(call)
  const { portal, place } = await sources.place(to, `--to ${to} is no place of a portal.`)
  const given = await sources.read(source, place.limits)
  if ('cartularyPlan' in given.members || 'cartularyPlans' in given.members) {
    throw untried(`${source} is a plan, with a place and moves of its own: cartulary schema apply ${source} makes it.`)
  }
  const ofPlaces = new Map(Object.entries(readRepository(call.shell)?.tests ?? {}))
  const ofPlace = parseExpectations(ofPlaces.get(ofPlaces.has(place.key) ? place.key : to), 'cartulary.json')
  const expectations = [...readFileTests(source, given.members), ...ofPlace]
  const before = await portal.read(place)
  const only = call.list('only')
  const after = only.length > 0 ? replaceBranches(before.schema, given.schema, only) : given.schema
  const { suggestions } = diffSchemas(before.schema, after, declared)
  const sure = call.has('accept-suggestions') ? suggestions.filter(({ confidence }) => confidence === 'sure') : []
  const moves = [...declared, ...sure.map((one) => ({ from: one.from, to: one.to }))]
  if (only.length > 0) requireWithin(moves, only)
  const problems = findProblems(after.categorySchema, place.limits)
  const sentences = problems.map(({ sentence }) => sentence)
  if (problems.length > 0) throw refused('The schema violates the rules of schemas:', sentences)
  const vanishing = (call.text('vanishing') ?? 'keep') as SchemaChange['vanishing']
  return { portal, only, expectations, change: { place, before, after, moves, vanishing } }
}

async function readMoves(call: Call): Promise<readonly Move[]> {
  const path = call.text('moves')
  if (path === undefined) return []
  const value = parseJson(new TextDecoder().decode(await readBytes(call, path)))
  if (Array.isArray(value) && value.every(isMove)) return value.map(({ from, to }) => ({ from, to }))
  throw untried(`${path} is no JSON list of {"from":"/A","to":"/B"}.`)
}

function isMove(value: unknown): value is Move {
  return isObject(value) && typeof value['from'] === 'string' && typeof value['to'] === 'string'
}

/** Tests of a file and of `<file>.tests.json` beside it. */
export function readFileTests(path: string, members: Source['members']): readonly Expectation[] {
  const own = parseExpectations(members['tests'], path)
  if (parsePlace(path).kind !== 'file' || path === '-') return own
  const beside = `${path}.tests.json`
  const text = readText(beside)
  if (text === undefined) return own
  const value = parseJson(text)
  if (isObject(value) && Array.isArray(value['tests'])) return [...own, ...parseExpectations(value['tests'], beside)]
  throw untried(`${beside} is no JSON object with a list tests.`)
}

/** Whether neither the schema nor, by a move, an item changes. */
export function isSame({ before, after, moves }: SchemaChange): boolean {
  return before.hash === hashOf(after) && moves.length === 0
}

/** Effect of the change, once its tests hold. */
export async function planChange(call: Call, asked: AskedChange): Promise<PlannedChange> {
  const { portal, change } = asked
  const plan = await portal.plan(change)
  const isEmpty = isSame(change) && plan.impact.moved === 0
  return { ...asked, plan, outcomes: await judgeChange(call, asked), isEmpty }
}

/** Runs the tests of a change; those that fail are refused, with what was found. */
export async function judgeChange(call: Call, asked: AskedChange): Promise<readonly Outcome[]> {
  const { portal, change, expectations } = asked
  const { before, after, moves, place } = change
  const outcomes = await judge(expectations, { before: before.schema, after, moves }, { portal, place })
  const failed = outcomes.filter(({ ok }) => !ok)
  if (failed.length === 0) return outcomes
  const title = failed.length === 1 ? 'A test fails' : `${failed.length} tests fail`
  const details = failed.map(formatOutcome)
  throw new CommandError(1, `${title}${nothingWritten(call)}.`, { details, members: { tests: outcomes } })
}

/** End of a sentence about a command that would have written something, had it not failed. */
export function nothingWritten({ name }: Call): string {
  return name === 'schema apply' ? '; nothing was written' : ''
}

export function planFileOf({ portal, change, only, expectations, plan, isEmpty }: PlannedChange): PlanFile {
  const { place, before, after, moves, vanishing } = change
  const { changes, summary, impact } = plan
  const { url, portalId, kind } = portal
  const about = { portal: url, portalId, kind, place: place.key, empty: isEmpty }
  const schemas = { base: { version: before.version, ...keptSchema(before.schema) }, result: keptSchema(after) }
  const choices = { moves, vanishing, only, tests: expectations }
  return sealPlan({ ...about, ...schemas, ...choices, changes, summary, impact, made: new Date().toISOString() })
}
