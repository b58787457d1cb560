/**
 * Effect of an attack on others: members of another organization send the same requests without and beside it, in alternating
 * rounds, so that other load affects both. Attackers run in their own process, like those of `--soak`.
 */
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { smallFile } from '../test/support/inputs/hostile-rdf.ts'
import { startHostile, stopHostile } from './hostile-process.ts'
import { addItems, type Engine, openTwoOrganizations, severalAtOnce } from './members.ts'
import { type Process, processorTime, residentBytes } from './processes.ts'
import {
  type Figure,
  figureOf,
  medianOf,
  type Part,
  percentileOf,
  type Result,
  type Run,
  resultsOf,
  welchOf,
} from './result.ts'
import { post } from './servers.ts'
import { askOnce, type Form, type Member, openPhase, type Phase } from './soak-honest.ts'
import { findKind } from './soak-kinds.ts'

/** Milliseconds until an attack is under way, between two checks for idleness, and between two samples of memory. */
const settling = 4_000
const lookInterval = 1_000
const sampleInterval = 200
/** Milliseconds after an attack within which the server has to become idle. */
const drainTimeout = 90_000
const restShare = 0.1
const pause = 10
const maxRounds = 3
/** Members on PostgreSQL, where items with many new tags take much longer: ten have all tags that an organization may have. */
const maxMembersOnPostgres = 10

/** Requests of a bystander, sent one after the other. */
type Asks = Readonly<Record<string, readonly [path: string, form?: Form]>>

interface Attack {
  /** Name of the kind, as in `--soak`. */
  readonly kind: string
  /** Members that prepare the attack, and how many of them attack. */
  readonly members: number
  readonly attackers: number
  /** Whether each request of the bystander has its own connection and no token. */
  readonly isNew?: true
  /** Milliseconds of each phase of a round. */
  readonly length: number
  asks(bystander: Member, portalId: string): Asks
  /** Milliseconds that the 99th percentile of each request may take. */
  readonly enough?: number
}

const attacks: readonly Attack[] = [
  {
    kind: 'counts of tags',
    members: 40,
    attackers: 1,
    length: 3,
    asks: (_, portalId) => ({
      search: ['/search?q=lake'],
      count: [`/search?q=orgid:${portalId}&countFields=tags&num=0`],
    }),
  },
  {
    kind: 'files',
    members: 3,
    attackers: 3,
    length: 6,
    enough: 1_500,
    asks: ({ groupId }) => ({ import: [`/community/groups/${groupId}/categorySchema/import`, { text: fiveLines }] }),
  },
  {
    kind: 'silent connections',
    members: 1,
    attackers: 1,
    isNew: true,
    length: 3,
    asks: () => ({ 'new connection': ['/info'] }),
  },
]

const fiveLines = smallFile.replaceAll(/ ([;.])/g, ' $1\n')

/** Search words of the timing comparison: one is in private items, the other in no item. */
const words = { member: 'merger', nobody: 'zebras', items: 12_000, pairs: 10_000 }

type Round = Readonly<Record<'alone' | 'beside', Phase>>

interface Seen {
  readonly rounds: readonly Round[]
  readonly remark: string
}

export async function* measureBystanders(run: Run, engine: Engine): AsyncIterable<Result> {
  // Connections are accepted by the same code on both engines.
  for (const attack of attacks.filter(({ isNew }) => engine === 'sqlite' || !isNew)) {
    yield* resultsOf(partsOf(attack), run, () => observe(attack, run, engine))
  }
  const t = { name: 'words: of private items against of none, t', goal: 3, direction: 'at most', unit: '' } as const
  yield* resultsOf([{ ...t, figure: (seen: Figure) => seen }], run, () => compareWords(run, engine))
}

function partsOf({ kind, asks, enough }: Attack): readonly Part<Seen>[] {
  const rowOf = (name: string, goal: number, unit: string, figure: (seen: Seen) => Figure): Part<Seen> => {
    return { name: `${kind}: ${name}`, goal, direction: 'at most', unit, figure }
  }
  const milliseconds = (what: string) => (seen: Seen) => figureOf([percentileOf(timesOf(seen, 'beside', what), 0.99)])
  const whats = Object.keys(asks({ port: 0, username: '', token: '', groupId: '' }, ''))
  return [
    ...whats.map((what) => rowOf(`${what} of others, p99`, 5, '× alone', (seen) => ratio(seen, what))),
    ...(enough === undefined
      ? []
      : whats.map((what) => rowOf(`${what} beside, p99`, enough, 'ms', milliseconds(what)))),
    rowOf('requests of others that fail', 0, '%', failures),
  ]
}

function timesOf({ rounds }: Pick<Seen, 'rounds'>, side: keyof Round, what: string): readonly number[] {
  return rounds.flatMap((round) => round[side].times.get(what) ?? [])
}

/** Ratio of the times beside an attack to those without one, over all rounds, with its minimum and maximum of a round. */
function ratio(seen: Seen, what: string): Figure {
  const [alone, beside] = [timesOf(seen, 'alone', what), timesOf(seen, 'beside', what)]
  const describe = (share: number) => {
    const [one, other] = [percentileOf(alone, share), percentileOf(beside, share)]
    return `p${share * 100} ${one.toFixed(1)} → ${other.toFixed(1)} ms (${(other / one).toFixed(2)} ×)`
  }
  const ratioOf = (rounds: readonly Round[]) =>
    percentileOf(timesOf({ rounds }, 'beside', what), 0.99) / percentileOf(timesOf({ rounds }, 'alone', what), 0.99)
  const counts = `${alone.length} and ${beside.length} answers`
  return {
    ...figureOf(seen.rounds.map((round) => ratioOf([round]))),
    value: ratioOf(seen.rounds),
    remark: `${describe(0.5)}, ${describe(0.99)}; ${counts}; ${seen.remark}`,
  }
}

function failures({ rounds }: Seen): Figure {
  const [alone, beside] = (['alone', 'beside'] as const).map((side) => {
    const phases = rounds.map((round) => round[side])
    const failed = phases.flatMap((phase) => [...phase.failures])
    const sum = failed.reduce((all, [, number]) => all + number, 0)
    const all = sum + phases.flatMap(({ times }) => [...times.values()].flat()).length
    return { share: (100 * sum) / all, text: `${sum} of ${all}`, reasons: new Set(failed.map(([reason]) => reason)) }
  })
  const remark = `alone ${alone!.text}, beside ${[beside!.text, ...beside!.reasons].join('; ')}`
  return { ...figureOf([beside!.share]), remark }
}

async function observe(attack: Attack, run: Run, engine: Engine): Promise<Seen> {
  await using stack = new AsyncDisposableStack()
  const members = engine === 'sqlite' ? attack.members : Math.min(attack.members, maxMembersOnPostgres)
  const { server, processes, attackers, bystander } = await openTwoOrganizations(stack, run, engine, members)
  const kind = findKind(attack.kind)
  await severalAtOnce(members, async (at) => kind.prepare?.(attackers[at]!, at))
  const agent = stack.adopt(new Agent({ keepAlive: !attack.isNew, maxSockets: 1 }), (opened) => opened.destroy())
  const sender = { agent, member: { ...bystander, ...(attack.isNew && { token: '' }) } }
  const { orgId } = await post(server, '/community/self', { token: bystander.token })
  const asks = Object.entries(attack.asks(bystander, orgId))
  const length = attack.length * run.milliseconds
  const ask = async (phase: Phase) => {
    const end = performance.now() + length
    while (performance.now() < end) {
      for (const [what, [path, form]] of asks) await askOnce(sender, phase, what, path, form)
      await delay(pause)
    }
  }
  await ask(openPhase())
  await untilIdle(processes)
  const before = residentBytes(server) ?? 0
  let max = before
  const sampling = setInterval(() => {
    max = Math.max(max, residentBytes(server) ?? 0)
  }, sampleInterval)
  stack.defer(() => clearInterval(sampling))
  const outcomes = new Map<string, number>()
  const rounds: Round[] = []
  while (rounds.length < Math.min(run.rounds, maxRounds)) {
    const [alone, beside] = [openPhase(), openPhase()]
    await ask(alone)
    const callers = attackers.slice(0, attack.attackers).map((member) => [kind.name, member])
    const hostile = await startHostile({ callers, first: 0 })
    await delay(settling)
    await ask(beside)
    await stopHostile(hostile, outcomes)
    await untilIdle(processes)
    rounds.push({ alone, beside })
  }
  const got = [...outcomes].sort().map(([what, count]) => `${what} ${count.toLocaleString('en')}`)
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  return { rounds, remark: `${megabytes(before)} MB before, ${megabytes(max)} at most; ${got.join(', ')}` }
}

/** Waits until the server is nearly idle: work that an attack started may continue after it. */
async function untilIdle(processes: readonly Process[]): Promise<void> {
  const sum = () => processes.reduce((all, one) => all + (processorTime(one) ?? 0), 0)
  const end = performance.now() + drainTimeout
  let share = 1
  while (share > restShare && performance.now() < end) {
    const before = sum()
    await delay(lookInterval)
    share = (sum() - before) / 1_000 / lookInterval
  }
}

/** Searches without a token, alternately for a word of others' private items and for a word that no item has. */
async function compareWords(run: Run, engine: Engine): Promise<Figure> {
  await using stack = new AsyncDisposableStack()
  const { server, processes, attackers } = await openTwoOrganizations(stack, run, engine, 1)
  await addItems(attackers[0]!, Math.min(words.items, run.maxRows), (at) => ({ title: `The ${words.member} ${at}` }))
  await untilIdle(processes)
  const agent = stack.adopt(new Agent({ keepAlive: true, maxSockets: 1 }), (opened) => opened.destroy())
  const phase = openPhase()
  const both = [words.member, words.nobody]
  for (let pair = 0; pair < Math.min(words.pairs, run.maxRows); pair += 1) {
    const sequential = pair % 2 === 0 ? both : both.toReversed()
    for (const word of sequential)
      await askOnce({ agent, member: { ...server, token: '' } }, phase, word, `/search?q=${word}`)
  }
  const [one, other] = both.map((word) => phase.times.get(word) ?? [])
  const fastest = (times: readonly number[]) => times.filter((time) => time <= percentileOf(times, 0.9))
  const t = welchOf(one!, other!)
  const medians = both.map((word) => `${word} ${medianOf(phase.times.get(word)!).toFixed(3)} ms`)
  const remark = `t ${t.toFixed(2)}, without the slowest tenth of each ${welchOf(fastest(one!), fastest(other!)).toFixed(2)}; medians: ${medians.join(', ')}; ${one!.length} and ${other!.length} answers`
  return { ...figureOf([Math.abs(t)]), remark }
}
