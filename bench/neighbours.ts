/**
 * Honest users beside each other: a program of one member that keeps some connections busy, alone and beside a colleague, a
 * reader without an account or a member of another organization, in alternating rounds. No attack; those are in `--bystanders`.
 */
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fire, type Outcome } from './load.ts'
import { addItems, type Engine, openTwoOrganizations } from './members.ts'
import { type Figure, figureOf, medianOf, percentileOf, type Result, type Run, resultOf } from './result.ts'
import { createGroups, post } from './servers.ts'
import { askOnce, type Form, type Member, openPhase, type Phase } from './soak-honest.ts'
import { assign, read, smallSchema } from './work.ts'

const groups = 32
const items = 4_500
const itemsOfColleague = 500
/** Items that a program may add in all rounds. */
const limits = { LIMIT_ITEMS_OWNED: '10000000', LIMIT_ITEMS_PER_ORGANIZATION: '10000000' }
const home = [
  '/portals/self',
  '/community/self',
  '/portals/self/categorySchema',
  '/portals/self/pendingSchemaDrafts',
  '/community/groups?q=lake&num=6',
  '/content/categories/completeness',
  '/portals/self/jobs?num=5',
  '/search?q=lake&num=6',
]

interface Members {
  readonly program: Member & { readonly groupIds: readonly string[]; readonly itemIds: readonly string[] }
  readonly colleague: Member
  readonly foreigner: Member
}

/** A program of one member, which has this many requests in progress at all times. */
interface Program {
  readonly name: string
  readonly connections: number
  /** Sends for so many milliseconds. */
  send(members: Members, connections: number, milliseconds: number): Promise<Outcome>
}

type Ask = (what: string, path: string, form?: Form) => Promise<unknown>

/** A neighbour, who asks again after a pause. */
interface Neighbour {
  readonly name: string
  readonly who: 'colleague' | 'foreigner' | 'program' | 'anonymous'
  /** Milliseconds from the begin of one question to that of the next. */
  readonly interval: number
  /** Smallest part of its rate that a program keeps. */
  readonly enough: number
  ask(ask: Ask, member: Member): Promise<unknown>
}

const programs: readonly Program[] = [
  {
    name: 'read',
    connections: 32,
    send: ({ program }, connections, milliseconds) => read(program, { connections, milliseconds, order: 'random' }),
  },
  {
    name: 'search',
    connections: 4,
    send: ({ program }, ...load) =>
      repeat(program, ...load, '/search', { q: 'lake', countFields: 'tags,type', countSize: '10', num: '10' }),
  },
  {
    name: 'assign',
    connections: 32,
    send: ({ program }, connections, milliseconds) =>
      assign(program, smallSchema, { connections, milliseconds, order: 'random' }),
  },
  {
    name: 'updateItems',
    connections: 2,
    send: ({ program }, ...load) => {
      const changes = program.itemIds.map((id) => ({ [id]: { snippet: `Of ${numberMark}` } }))
      return repeat(program, ...load, '/content/updateItems', { items: JSON.stringify(changes) })
    },
  },
  {
    name: 'addItem',
    connections: 16,
    send: ({ program }, ...load) =>
      repeat(program, ...load, `/content/users/${program.username}/addItem`, {
        ...{ title: 'Pond', type: 'Web Map', tags: 'water,maps' },
      }),
  },
]

const look = (ask: Ask) => ask('look', '/portals/self')
const openHome = (ask: Ask) => Promise.all(home.map((path) => ask('home', path)))

const neighbours: readonly Neighbour[] = [
  { name: 'looks', who: 'colleague', interval: 250, enough: 0.7, ask: look },
  { name: 'looks of another organization', who: 'foreigner', interval: 250, enough: 0.7, ask: look },
  { name: 'looks of the same user', who: 'program', interval: 250, enough: 0.7, ask: look },
  { name: 'anonymous reads', who: 'anonymous', interval: 250, enough: 0.7, ask: look },
  { name: 'a home page', who: 'colleague', interval: 2_000, enough: 0.7, ask: openHome },
  {
    name: 'searches',
    who: 'colleague',
    interval: 1_000,
    enough: 0.5,
    ask: (ask) => ask('search', '/search', { q: 'lake', countFields: 'tags', num: '10' }),
  },
  {
    name: 'coverage',
    who: 'colleague',
    interval: 1_000,
    enough: 0.5,
    ask: (ask) => ask('coverage', '/content/categories/coverage'),
  },
  {
    name: 'exports',
    who: 'colleague',
    interval: 2_000,
    enough: 0.5,
    ask: (ask) => ask('export', '/content/categories/export?num=2000'),
  },
  { name: 'a job', who: 'colleague', interval: 0, enough: 0.5, ask: runJob },
]

/** Changes the tags of all items of the member by a job, and looks every half second whether it has ended. */
async function runJob(ask: Ask, { port, token, username }: Member): Promise<void> {
  const change = JSON.stringify({ tags: { add: [`tag${Math.floor(Math.random() * 1e9)}`] } })
  const query = `owner:${username}`
  const { jobId } = await post({ port }, '/content/changeItems', { q: query, change, token })
  for (let state = 'running'; state === 'running' || state === 'waiting'; ) {
    await delay(500)
    state = (await post({ port }, `/portals/self/jobs/${jobId}`, { token })).state
    await ask('look', '/portals/self')
  }
}

export async function* measureNeighbours(run: Run, engine: Engine): AsyncIterable<Result> {
  const pairs = programs.flatMap((program) => neighbours.map((neighbour) => ({ program, neighbour })))
  const wanted = pairs.filter((pair) => nameOf(pair).includes(run.only))
  if (wanted.length === 0) return
  await using stack = new AsyncDisposableStack()
  const members = await openMembers(stack, run, engine)
  for (const { send, connections } of programs) await send(members, connections, run.warmMilliseconds)
  for (const pair of wanted) {
    const row = { goal: pair.neighbour.enough, direction: 'at least' as const, unit: '× alone' }
    yield await resultOf({ name: nameOf(pair), ...row, measure: () => measurePair(members, pair, run) }, run)
  }
}

interface Pair {
  readonly program: Program
  readonly neighbour: Neighbour
}

function nameOf({ program, neighbour }: Pair): string {
  return `${program.name} beside ${neighbour.name}`
}

async function openMembers(stack: AsyncDisposableStack, run: Run, engine: Engine): Promise<Members> {
  const { attackers, bystander, server } = await openTwoOrganizations(stack, run, engine, 2, limits)
  const [program, colleague] = attackers as [Member, Member]
  const describe = (at: number) => ({ title: `Lake ${at}`, tags: `water,tag${at % 50}`, access: 'org' })
  await addItems(program, Math.min(items, run.maxRows), describe)
  await addItems(colleague, itemsOfColleague, describe)
  const found = await post(server, '/search', { q: `owner:${program.username}`, num: '100', token: program.token })
  const itemIds = found.results.map(({ id }: { readonly id: string }) => id)
  const groupIds = [program.groupId, ...(await createGroups(server, program.token, groups - 1))]
  return { program: { ...program, groupIds, itemIds }, colleague, foreigner: bystander }
}

async function measurePair(members: Members, { program, neighbour }: Pair, run: Run): Promise<Figure> {
  const rounds: { readonly alone: Outcome; readonly beside: Outcome }[] = []
  const [quiet, busy] = [openPhase(), openPhase()]
  for (let round = 0; round < run.rounds; round += 1) {
    const send = () => program.send(members, program.connections, run.milliseconds)
    const alone = await send()
    await beNeighbour(members, neighbour, quiet, run.milliseconds, delay(run.milliseconds))
    const sent = send()
    await Promise.all([beNeighbour(members, neighbour, busy, run.milliseconds, sent), sent])
    rounds.push({ alone, beside: await sent })
  }
  const failures = [...quiet.failures, ...busy.failures].map(([reason, times]) => `${times} × ${reason}`)
  if (failures.length > 0) throw new Error(`A neighbour was refused: ${failures.join('; ')}`)
  const ofProgram = (kind: 'alone' | 'beside') => milliseconds(medianOf(rounds.map((round) => round[kind].p99)))
  const rate = medianOf(rounds.map(({ alone }) => alone.perSecond)).toFixed(0)
  return {
    ...figureOf(rounds.map(({ alone, beside }) => beside.perSecond / alone.perSecond)),
    remark: `${rate} a second alone; p99 ${ofProgram('alone')} → ${ofProgram('beside')}; of the neighbour ${p99Of(quiet)} → ${p99Of(busy)}`,
  }
}

/** Asks until the time is over and the other one has ended, but to the end of what has begun. */
async function beNeighbour(
  members: Members,
  { who, interval, ask }: Neighbour,
  phase: Phase,
  length: number,
  other: Promise<unknown>,
): Promise<void> {
  using agent = new DisposableAgent()
  const member = who === 'anonymous' ? { ...members.colleague, token: '' } : members[who]
  const end = performance.now() + length
  do {
    const begun = performance.now()
    await ask((what, path, form) => askOnce({ member, agent }, phase, what, path, form), member)
    if (interval === 0) phase.times.set('all', [...(phase.times.get('all') ?? []), performance.now() - begun])
    await Promise.race([delay(Math.max(0, begun + interval - performance.now())), other])
  } while (performance.now() < end)
}

class DisposableAgent extends Agent implements Disposable {
  constructor() {
    super({ keepAlive: true })
  }

  [Symbol.dispose](): void {
    this.destroy()
  }
}

function p99Of({ times }: Phase): string {
  return milliseconds(percentileOf(times.get('all') ?? [...times.values()].flat(), 0.99))
}

function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`
}

/** Placeholder for the number of a request: nothing is written where nothing changes. */
const numberMark = '00000000'

/** Sends one request again and again. */
function repeat(
  { port, token }: Member,
  connections: number,
  milliseconds: number,
  path: string,
  form: Form,
): Promise<Outcome> {
  const body = new URLSearchParams({ f: 'json', ...form, token }).toString()
  const head = `POST /sharing/rest${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}`
  const buffers = Array.from({ length: connections }, () => Buffer.from(`${head}\r\n\r\n${body}`))
  const marks = [...body.matchAll(new RegExp(numberMark, 'g'))].map(({ index }) => head.length + 4 + index)
  let number = 0
  return fire({
    port,
    connections,
    milliseconds,
    next(connection) {
      number += 1
      for (const at of marks) buffers[connection]!.write(String(number).padStart(8, '0'), at, 'latin1')
      return buffers[connection]!
    },
    isSuccess: (text) => !text.startsWith('{"error"'),
  })
}
