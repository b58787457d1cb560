/** Processor time and rate of requests: several servers alternate, so that other load on the machine affects each. */
import type { Outcome } from './load.ts'
import { type Process, processorTime } from './processes.ts'
import { type Cost, type Figure, figureOf, medianOf, NotMeasured, type Run } from './result.ts'

/** Costs by round, in order. */
export interface Costs {
  readonly rounds: readonly Cost[]
  /** Maximum share of one core that making the load took, from 0 to 1. */
  readonly effort: number
}

/** A server and the work of its round. */
export interface Turn {
  readonly server: Process
  /** Its PostgreSQL, whose time is measured separately. */
  readonly postgres?: Process
  work(milliseconds: number): Promise<Outcome>
}

/** Runs rounds of all servers alternately and reverses their order each round. */
export async function costsOf<Name extends string>(
  run: Run,
  turns: Readonly<Record<Name, Turn>>,
): Promise<Readonly<Record<Name, Costs>>> {
  const names = Object.keys(turns) as Name[]
  for (const name of names) await turns[name].work(run.warmMilliseconds)
  const seen = Object.fromEntries(names.map((name) => [name, { rounds: [] as Cost[], effort: 0 }])) as Record<
    Name,
    { rounds: Cost[]; effort: number }
  >
  for (let round = 0; round < run.rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { cost, effort } = await costOf(turns[name], run.milliseconds)
      seen[name].rounds.push(cost)
      seen[name].effort = Math.max(seen[name].effort, effort)
    }
  }
  return seen
}

async function costOf({ server, postgres, work }: Turn, milliseconds: number): Promise<{ cost: Cost; effort: number }> {
  const before = [usedBy(server), usedBy(postgres)] as const
  const { requests, perSecond, effort } = await work(milliseconds)
  const after = [usedBy(server), usedBy(postgres)] as const
  const cost = {
    microseconds: (after[0] - before[0]) / requests,
    ...(postgres && { ofPostgres: (after[1] - before[1]) / requests }),
    perSecond,
  }
  return { cost, effort }
}

function usedBy(process: Process | undefined): number {
  const time = process === undefined ? 0 : processorTime(process)
  if (time === undefined) throw new NotMeasured('Only Linux has the processor time of another process like this.')
  return time
}

/** Medians of all rounds. */
export function mediansOf(costs: Readonly<Record<string, Costs>>): Readonly<Record<string, Cost>> {
  return Object.fromEntries(Object.entries(costs).map(([name, { rounds }]) => [name, medianCost(rounds)]))
}

function medianCost(rounds: readonly Cost[]): Cost {
  const ofPostgres = rounds.flatMap((cost) => cost.ofPostgres ?? [])
  return {
    microseconds: medianOf(rounds.map(({ microseconds }) => microseconds)),
    ...(ofPostgres.length > 0 && { ofPostgres: medianOf(ofPostgres) }),
    perSecond: medianOf(rounds.map(({ perSecond }) => perSecond)),
  }
}

/** Ratio of two servers by round: `microseconds` of processor time, or requests `perSecond`. */
export function ratioOf(one: Costs, other: Costs, of: 'microseconds' | 'perSecond'): Figure {
  const effort = Math.max(one.effort, other.effort)
  return {
    ...figureOf(one.rounds.map((cost, round) => cost[of] / other.rounds[round]![of])),
    ...(of === 'perSecond' &&
      effort > fullEffort && { remark: 'The load took a whole core: servers may be faster than this.' }),
  }
}

/** Difference of processor time between two servers, in microseconds, by round. */
export function growthOf(one: Costs, other: Costs): Figure {
  return figureOf(one.rounds.map(({ microseconds }, round) => microseconds - other.rounds[round]!.microseconds))
}

/** Share of one core above which the load itself is the bottleneck. */
const fullEffort = 0.9
