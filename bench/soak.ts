/**
 * Honest users beside hostile ones, for as long as is asked: first the honest ones alone, then both. Everything that an
 * honest user does is checked: what was acknowledged is read back.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openPostgres } from './postgres.ts'
import { medianOf } from './result.ts'
import { type Environment, Folder, openService, post, type Running, residentBytes, signIn } from './servers.ts'

const honestUsers = 20
const hostileUsers = 5
const password = 'correct horse battery staple'
/** Share of the time in which the honest users are alone. */
const aloneShare = 0.2
/** Longest pause of an honest user between two requests, in milliseconds. */
const longestPause = 60
const mostTimes = 5
const betweenSamples = 1_000

interface Member {
  readonly port: number
  readonly token: string
  readonly groupId: string
}

interface Phase {
  readonly name: string
  /** Milliseconds of each answered request, by what it does. */
  readonly times: Map<string, number[]>
  /** Requests that were answered otherwise than they should, with one example each. */
  readonly failures: Map<string, number>
  /** Bytes of all servers together. */
  readonly memory: number[]
}

/** Prints what came out; false where a promise did not hold. */
export async function soak(minutes: number, engine: 'sqlite' | 'postgres', seed: number): Promise<boolean> {
  await using stack = new AsyncDisposableStack()
  const environment = await openDatabase(stack, engine)
  const servers: Running[] = []
  for (let number = 0; number < (engine === 'postgres' ? 3 : 1); number += 1) {
    servers.push(stack.use(await openService({ ...environment, RATE_LIMIT_SIGN_IN_FAILURES: '10' }, 'all')))
  }
  const members = await addMembers(servers)
  const honest = members.slice(0, honestUsers)
  const random = randomFrom(seed)
  const agents = honest.map(() =>
    stack.adopt(new Agent({ keepAlive: true, maxSockets: 1 }), (agent) => agent.destroy()),
  )
  const written = new Map<Member, string>()
  const minute = 60_000
  const run = (name: string, milliseconds: number) => {
    const phase: Phase = { name, times: new Map(), failures: new Map(), memory: [] }
    const end = performance.now() + milliseconds
    const users = honest.map((member, number) => beHonest(member, agents[number]!, phase, written, random, end))
    return Promise.all([...users, sample(servers, phase, end)]).then(() => phase)
  }
  await run('warming', Math.min(10_000, minutes * minute * 0.05))
  const alone = await run('alone', minutes * minute * aloneShare)
  const hostile = startHostile(members.slice(honestUsers), servers, seed)
  const beside = await run('beside hostile users', minutes * minute * (1 - aloneShare))
  await stopHostile(hostile)
  const lost = await countLost(honest, agents, written)
  for (const phase of [alone, beside]) print(phase)
  return judge(alone, beside, lost)
}

async function openDatabase(stack: AsyncDisposableStack, engine: 'sqlite' | 'postgres'): Promise<Environment> {
  if (engine === 'postgres') return stack.use(await openPostgres()).environment
  return stack.adopt(new Folder(), (folder) => folder[Symbol.dispose]()).environment
}

/** Honest and hostile users, each with a group of their own, spread over the servers. */
async function addMembers(servers: readonly Running[]): Promise<readonly Member[]> {
  const [first] = servers
  const token = await signIn(first!)
  await post(first!, '/portals/self/update', { access: 'public', token })
  const names = Array.from({ length: honestUsers + hostileUsers }, (_, number) => `member${number}`)
  const invitations = names.map((username) => ({
    username,
    password,
    fullname: username,
    email: `${username}@example.com`,
    role: 'org_user',
  }))
  await post(first!, '/portals/self/invite', { invitationList: JSON.stringify({ invitations }), token })
  const members: Member[] = []
  for (const [number, username] of names.entries()) {
    const server = servers[number % servers.length]!
    const signedIn = await post(server, '/generateToken', { username, password, expiration: '600' })
    const created = await post(server, '/community/createGroup', { title: `Of ${username}`, token: signedIn.token })
    members.push({ port: server.port, token: signedIn.token, groupId: created.group.id })
  }
  return members
}

/** Reads mostly, and now and then assigns, searches, or looks at the own profile. */
async function beHonest(
  member: Member,
  agent: Agent,
  phase: Phase,
  written: Map<Member, string>,
  random: () => number,
  end: number,
): Promise<void> {
  const group = `/community/groups/${member.groupId}`
  for (let number = 0; performance.now() < end; number += 1) {
    await delay(random() * longestPause)
    const kind = random()
    const ask = async (what: string, path: string, form?: Readonly<Record<string, string>>) => {
      const begun = performance.now()
      const answer = await send(member, agent, path, form).catch((error: Error) => ({
        error: { message: error.message },
      }))
      const failure = 'error' in answer ? (answer.error as { message: string }).message : undefined
      if (failure === undefined) addTo(phase.times, what, performance.now() - begun)
      else phase.failures.set(`${what}: ${failure}`, (phase.failures.get(`${what}: ${failure}`) ?? 0) + 1)
      return failure === undefined
    }
    if (kind < 0.15) {
      const title = `Categories ${number} ${Math.floor(random() * 1e9)}`
      const categorySchema = JSON.stringify({ categorySchema: [{ title, categories: [{ title: 'Land' }] }] })
      // Without an acknowledgement either of both may be there.
      written.delete(member)
      if (await ask('assign', `${group}/assignCategorySchema`, { categorySchema })) written.set(member, title)
    } else if (kind < 0.2) await ask('search', '/community/groups?q=member&num=10')
    else if (kind < 0.25) await ask('self', '/community/self')
    else await ask('read', `${group}/categorySchema`)
  }
}

function addTo(times: Map<string, number[]>, what: string, milliseconds: number): void {
  const known = times.get(what)
  if (known) known.push(milliseconds)
  else times.set(what, [milliseconds])
}

function send(
  { port, token }: Member,
  agent: Agent,
  path: string,
  form?: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>()
  const body = form && new URLSearchParams(form).toString()
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  const sent = request(
    { port, host: '127.0.0.1', agent, path: `/sharing/rest${path}`, method: body ? 'POST' : 'GET', headers },
    (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      // After `end` it changes nothing.
      response.on('close', () => reject(new Error('The connection was closed within the answer.')))
      response.on('end', () => {
        try {
          resolve(JSON.parse(text))
        } catch {
          reject(new Error('The answer is no JSON.'))
        }
      })
    },
  )
  sent.once('error', reject)
  sent.end(body)
  return promise
}

async function sample(servers: readonly Running[], { memory }: Phase, end: number): Promise<void> {
  while (performance.now() < end) {
    memory.push(servers.reduce((sum, server) => sum + (residentBytes(server) ?? 0), 0))
    await delay(Math.min(betweenSamples, Math.max(0, end - performance.now())))
  }
}

/** Of the users whose last assignment was acknowledged, those whose group has another schema. */
async function countLost(
  honest: readonly Member[],
  agents: readonly Agent[],
  written: Map<Member, string>,
): Promise<number> {
  let lost = 0
  for (const [number, member] of honest.entries()) {
    const title = written.get(member)
    if (title === undefined) continue
    const answer = await send(member, agents[number]!, `/community/groups/${member.groupId}/categorySchema`)
    if (!JSON.stringify(answer).includes(`"${title}"`)) lost += 1
  }
  return lost
}

/** A process of its own, which gets the processor only when the honest users do not need it. */
function startHostile(members: readonly Member[], servers: readonly Running[], seed: number): ChildProcess {
  const program = fileURLToPath(new URL('soak-hostile.ts', import.meta.url))
  const given = JSON.stringify({ members, ports: servers.map(({ port }) => port), seed })
  const child = spawn(process.execPath, [program, given], { stdio: ['ignore', 'inherit', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  return child
}

async function stopHostile(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error('The hostile users ended before the honest ones.')
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

function print({ name, times, failures, memory }: Phase): void {
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  console.log(
    `${name}: memory ${megabytes(memory[0]!)} first, ${megabytes(medianOf(memory))} median, ${megabytes(Math.max(...memory))} most`,
  )
  for (const [what, all] of times) {
    const cells = [0.5, 0.99, 1].map((share) => `${at(all, share).toFixed(1)} ms`.padStart(10))
    console.log(`  ${what.padEnd(8)} ${String(all.length).padStart(8)} answered; p50, p99, most: ${cells.join(' ')}`)
  }
  for (const [what, count] of failures) console.log(`  failed ${count} times: ${what}`)
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))]!
}

function judge(alone: Phase, beside: Phase, lost: number): boolean {
  const p99 = ({ times }: Phase) => at([...times.values()].flat(), 0.99)
  const ratio = p99(beside) / p99(alone)
  const half = Math.floor(beside.memory.length / 2)
  const growth = medianOf(beside.memory.slice(half)) / medianOf(beside.memory.slice(0, half + 1))
  const failed = [...beside.failures.values()].reduce((sum, count) => sum + count, 0)
  const promises: readonly [string, boolean][] = [
    [
      `p99 of honest users ${p99(alone).toFixed(1)} → ${p99(beside).toFixed(1)} ms, ${ratio.toFixed(1)} × (at most ${mostTimes})`,
      ratio <= mostTimes,
    ],
    [`memory of the second half ${growth.toFixed(2)} × the first (at most 1.1)`, growth <= 1.1],
    [`acknowledged schemas that are not there: ${lost}`, lost === 0],
    [`requests of honest users that failed: ${failed}`, failed === 0],
  ]
  for (const [what, holds] of promises) console.log(`${holds ? 'holds ' : 'broken'} ${what}`)
  return promises.every(([, holds]) => holds)
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
