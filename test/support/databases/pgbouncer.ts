import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../installed.ts'
import { findFreePort } from './postgres.ts'

/** PgBouncer, as it is installed on this machine; undefined where it is not. */
export const pgbouncer = findProgram('pgbouncer')

/** PgBouncer refuses to run as root. */
const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** A PgBouncer before a PostgreSQL server, with settings such as `pool_mode=session` and defaults for all others. */
export class PgBouncer implements AsyncDisposable {
  readonly #folder: string
  readonly #child: ChildProcess
  readonly #port: number

  private constructor(folder: string, child: ChildProcess, port: number) {
    this.#folder = folder
    this.#child = child
    this.#port = port
  }

  static async open(server: string, ...settings: readonly string[]): Promise<PgBouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'cartulary-pgbouncer-'))
    chmodSync(folder, 0o755)
    const port = await findFreePort()
    const { hostname, port: behind, username } = new URL(server)
    const file = join(folder, 'pgbouncer.ini')
    const users = join(folder, 'users')
    writeFileSync(users, `"${username}" ""\n`)
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${behind}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      ...settings,
    ]
    writeFileSync(file, `${lines.join('\n')}\n`)
    const child = spawn(pgbouncer!, [file], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] })
    const opened = new PgBouncer(folder, child, port)
    const ready = Promise.withResolvers<void>()
    let said = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('process up')) ready.resolve()
    })
    child.once('exit', () => ready.reject(new Error(`PgBouncer does not start: ${said}`)))
    await ready.promise
    ready.promise.catch(() => undefined)
    return opened
  }

  /** URL of the database through PgBouncer. */
  url(database: string): string {
    const url = new URL(database)
    url.hostname = '127.0.0.1'
    url.port = String(this.#port)
    return url.href
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGINT')
      await once(this.#child, 'exit')
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
