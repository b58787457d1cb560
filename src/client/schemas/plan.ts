import type { SchemaPlan } from '../../categories/change/plan.ts'
import { formatDiff } from '../../categories/diff/format-diff.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { CommandError, untried } from '../failure.ts'
import { requireWritable, writeWhole } from '../files/file.ts'
import { formatPlanFile } from '../files/plan-file.ts'
import { requireRepository } from '../files/repository.ts'
import { clean, colourDiff } from '../output/text.ts'
import { askChange, namesOf, nothingWritten, type PlannedChange, planChange, planFileOf } from './change.ts'
import { Sources } from './source.ts'

/** Shows a plan, or writes it into a file; drift is that of every place, which never goes into a file. */
export async function plan(call: Call): Promise<Answered> {
  const output = call.text('output')
  requireWritable(output)
  const isDrift = call.name === 'schema drift'
  const isAll = call.has('all') || isDrift
  const planned = isAll
    ? await planAll(call)
    : [await planChange(call, await askChange(call, new Sources(call), namesOf(call)))]
  if (output !== undefined) {
    writeWhole(output, formatPlanFile(planned.map(planFileOf), isAll))
    const isEmpty = planned.every((one) => one.isEmpty)
    const needsChoice = planned.some(({ portal, change }) => portal.requireChoice && change.moves.length > 0)
    const command = `cartulary schema apply ${output}${needsChoice ? ' --move-items' : ''}`
    call.say(`${output} is ${isEmpty ? 'an empty plan: nothing would change' : `a plan; ${command} makes the change`}.`)
  }
  const differs = planned.some(({ isEmpty }) => !isEmpty)
  const exit = (call.has('detailed-exitcode') || isDrift) && differs ? 3 : 0
  const objects = planned.map(({ plan: one, portal, change, outcomes: tests }) => {
    return { place: change.place.key, ...one, ...portal.planNotes, tests }
  })
  const texts = planned.map((one) => (isAll ? `${one.change.place.key}:` : '') + formatPlanned(call, one, isAll))
  return { json: isAll ? { plans: objects } : objects[0]!, text: texts.join('\n'), exit }
}

/** A plan with the outcome of its tests. */
export function formatPlanned(call: Call, { plan: one, isEmpty, outcomes }: PlannedChange, isAll = false): string {
  const passed = outcomes.length === 0 ? '' : `\n${outcomes.length} tests passed.`
  if (isEmpty) return (isAll ? ' no change' : 'No change.') + passed
  const isSure = one.suggestions.some(({ confidence }) => confidence === 'sure')
  const hint = isSure ? '\nWith --accept-suggestions sure, items follow what is surely moved.' : ''
  return (isAll ? '\n' : '') + formatPlan(call, one) + hint + passed
}

/** A plan for a person: a line for each change, the items that it concerns, what may be meant, and the sums. */
export function formatPlan(call: Call, found: SchemaPlan): string {
  if (found.changes.length === 0) return 'No change.'
  const { impact, suggestions, warnings } = found
  const diff = colourDiff(formatDiff(found).trimEnd(), call)
  const countOf = (items: number | null) => items ?? 'not counted'
  const moved = impact.moved === 0 ? [] : [`Items that follow a move: ${countOf(impact.moved)}`]
  const lost = impact.byPath.map(({ path, items }) => `Items of ${path}, which is removed: ${countOf(items)}`)
  const meant = suggestions.map(
    ({ from, to, confidence }) => `${confidence === 'sure' ? 'Surely' : 'Perhaps'} moved: ${from} to ${to}`,
  )
  return [diff, ...[...moved, ...lost, ...meant, ...warnings].map(clean)].join('\n')
}

/** Exit codes of several places, the most important first. */
const order = [2, 1, 4] as const

/** Plans every place of `cartulary.json`; one that fails fails all, after the others were tried. */
export async function planAll(call: Call): Promise<readonly PlannedChange[]> {
  if (call.positionals.length > 0 || call.text('to') !== undefined) {
    throw untried('--all takes sources and places from cartulary.json.')
  }
  if (call.list('only').length > 0 || call.text('moves') !== undefined) {
    throw untried('--only and --moves are of one place, not of --all.')
  }
  const { places } = requireRepository(call.shell)
  const sources = new Sources(call)
  const planned: PlannedChange[] = []
  const [codes, details]: [number[], string[]] = [[], []]
  for (const [to, source] of places) {
    try {
      planned.push(await planChange(call, await askChange(call, sources, { source, to })))
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      codes.push(error.exit)
      details.push(`${to}: ${error.message}`, ...error.details)
    }
  }
  if (codes.length === 0) return planned
  const exit = order.find((code) => codes.includes(code))!
  const sentence = `${codes.length} of ${places.length} places cannot be planned${nothingWritten(call)}.`
  throw new CommandError(exit, sentence, { details })
}
