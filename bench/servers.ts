/** Servers under measurement, each a process on its own core. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Cores, onCores } from './cores.ts'
import type { Process } from './processes.ts'
import type { Target } from './work.ts'

/** Password of the administrator. */
export const password = 'correct horse battery staple'
/** Checkout that this file is in. */
export const here = fileURLToPath(new URL('..', import.meta.url))
const floor = fileURLToPath(new URL('floor.ts', import.meta.url))

export type Environment = Readonly<Record<string, string>>

export interface Running extends Process, AsyncDisposable {
  readonly port: number
}

export type Server = Running & Target

/** A temporary folder for databases. */
export class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'cartulary-bench-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  /** Settings for a service that uses this database. */
  get environment(): Environment {
    return { DATABASE_URL: `file:${join(this.path, 'service.db')}` }
  }
}

/** Options of Node in `npm start`. */
export const startOptions = ['--max-semi-space-size=16']

/** The program of a checkout. */
export function programOf(checkout: string): string {
  return join(checkout, 'bin/cartulary.mjs')
}

/** Ids of the groups of a floor, which does not check them. */
export function floorGroups(groups: number): readonly string[] {
  return Array.from({ length: groups }, (_, group) => String(group).padStart(32, '0'))
}

/** Starts the floor on its own database, with a log or without one. */
export async function startFloor(
  groups: number,
  log: '--log' | 'bare',
  environment: Environment = {},
): Promise<Server> {
  const folder = new Folder()
  const running = await openFloor(join(folder.path, 'floor.db'), log, environment)
  const end = () => running[Symbol.asyncDispose]().then(() => folder[Symbol.dispose]())
  return { ...running, ...floorTarget(running.port, floorGroups(groups)), [Symbol.asyncDispose]: end }
}

/** Starts the floor on the database of that file. */
export async function openFloor(file: string, log: '--log' | 'bare', environment: Environment = {}): Promise<Running> {
  const words = [floor, file, ...(log === '--log' ? [log] : [])]
  return open({ words, environment, cores: 'first', ready: /^(\d+)\n/ })
}

export function floorTarget(port: number, groupIds: readonly string[]): Target {
  return { port, token: 'x'.repeat(43), groupIds }
}

/** Starts a service on its own database, with this many groups, and its administrator signed in. */
export async function startService(groups: number, environment: Environment = {}, checkout = here): Promise<Server> {
  const folder = new Folder()
  const service = await openService({ ...folder.environment, ...environment }, 'first', checkout)
  const end = () => service[Symbol.asyncDispose]().then(() => folder[Symbol.dispose]())
  try {
    const token = await signIn(service)
    const groupIds = await createGroups(service, token, groups)
    return { ...service, token, groupIds, [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}

export async function createGroups(service: Running, token: string, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const create = (at: number) => post(service, '/community/createGroup', { title: `Group ${ids.length + at}`, token })
    // On a busy machine, more of them on PostgreSQL would conflict again and again.
    const created = Array.from({ length: Math.min(8, count - ids.length) }, (_, at) => create(at))
    ids.push(...(await Promise.all(created)).map(({ group }) => group.id))
  }
  return ids
}

/** Starts a service of any checkout on the database that the settings name; all other settings have their defaults. */
export function openService(environment: Environment, cores: Cores = 'first', checkout = here): Promise<Running> {
  const settings = { ADMIN_PASSWORD: password, PORT: '0', ...environment }
  const ready = /is ready at http:\/\/[^:]+:(\d+)/
  return open({ words: [...startOptions, programOf(checkout)], environment: settings, cores, ready })
}

export async function signIn(service: Running, username = 'admin'): Promise<string> {
  return (await post(service, '/generateToken', { username, password, expiration: '300' })).token
}

interface Program {
  /** Arguments of Node. */
  readonly words: readonly string[]
  readonly environment: Environment
  readonly cores: Cores
  /** Pattern of the line that names its port. */
  readonly ready: RegExp
}

/**
 * Starts a program of Node with a minimal environment. Its log goes to a file: reading a pipe would take
 * time of the load.
 */
async function open({ words, environment, cores, ready }: Program): Promise<Running> {
  const folder = new Folder()
  const log = join(folder.path, 'log')
  const output = openSync(log, 'w')
  const [first, ...others] = [...onCores(cores), process.execPath, ...words]
  const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), ...environment }
  const child = spawn(first!, others, { stdio: ['ignore', output, 'inherit'], env, cwd: tmpdir() })
  closeSync(output)
  const end = () => {
    child.kill('SIGKILL')
    folder[Symbol.dispose]()
  }
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const port = await untilSaid(child, log, ready)
  const dispose = () => stop(child).then(() => folder[Symbol.dispose]())
  return { port: Number(port), pid: child.pid!, [Symbol.asyncDispose]: dispose }
}

async function untilSaid(child: ChildProcess, log: string, words: RegExp): Promise<string> {
  for (;;) {
    const said = readFileSync(log, 'utf8')
    const found = words.exec(said)?.[1]
    if (found) return found
    if (hasEnded(child)) throw new Error(`A server does not start: ${said.slice(-50_000)}`)
    await delay(10)
  }
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations
type Answer = any

export async function post(
  { port }: Pick<Running, 'port'>,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<Answer> {
  const url = `http://127.0.0.1:${port}/sharing/rest${path}`
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  const answer: Answer = await response.json()
  if (answer.error) throw new Error(`${path}: ${answer.error.message}`)
  return answer
}
