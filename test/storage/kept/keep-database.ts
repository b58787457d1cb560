import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { Postgres } from '../../support/databases/postgres.ts'
import { type Query, queryFile, queryUrl } from '../../support/databases/recorded.ts'
import { Folder, run, serve } from '../../support/portal/process.ts'
import { Callers, password } from './callers.ts'
import { dumpOf, recordStatements } from './dump.ts'
import { type Kept, keptSettings } from './kept-database.ts'
import { readWorld } from './readings.ts'
import { fillWorld } from './world.ts'

/**
 * Keeps a database of each engine as the program of another commit makes it, filled over HTTP, with what that program answers:
 *
 *   git worktree add --detach <checkout> <commit> && (cd <checkout> && npm ci)
 *   node test/storage/kept/keep-database.ts <checkout> <name of the folder beside this file>
 */
const { positionals } = parseArgs({ allowPositionals: true })
const [checkout, name] = positionals
if (!checkout || !name) throw new Error('Two words are needed: a checkout, and the name of a folder.')
const program = resolve(checkout, 'bin/cartulary.mjs')
const kept = fileURLToPath(new URL(name, import.meta.url))
mkdirSync(kept, { recursive: true })
const keep = (file: string, content: string | Buffer) =>
  writeFileSync(join(kept, file), gzipSync(content, { level: 9 }))

using folder = new Folder()
const file = join(folder.path, 'cartulary.db')
keep('sqlite.json.gz', JSON.stringify(await makeWorld(`file:${file}`, queryFile(file))))
const database = new Database(file)
// One file, without the bytes of rows that are gone.
database.pragma('journal_mode = delete')
database.exec('vacuum')
database.close()
keep('sqlite.db.gz', readFileSync(file))

await using postgres = await Postgres.open()
const url = await postgres.createDatabase()
const statements = await recordStatements(queryUrl(url))
keep('postgres.json.gz', JSON.stringify(await makeWorld(url, queryUrl(url))))
keep('postgres.sql.gz', await dumpOf(queryUrl(url), await statements()))

/** Makes a world of two organizations, as a new database begins with one. */
async function makeWorld(databaseUrl: string, query: Query): Promise<Kept> {
  const options = { program, folder: folder.path, environment: { ...keptSettings, DATABASE_URL: databaseUrl } }
  await (await serve(options)).stop()
  const words = ['organization', 'create', '--name', 'Institute of Seas', '--admin', 'outsider', '--password-stdin']
  const through = ['/bin/sh', '-c', 'echo "$PASSWORD" | "$@"', 'sh']
  const environment = { ...options.environment, PASSWORD: password }
  const added = await run({ ...options, words, through, environment })
  if (added.code !== 0) throw new Error(added.err)
  await using server = await serve(options)
  const callers = new Callers(`${server.url}/portal/sharing/rest`)
  const world = await fillWorld(callers)
  const readings = await readWorld(callers, world)
  await server.stop()
  const audit = await query<Record<string, unknown>>('select * from audit order by id')
  const versions = await query<Record<string, unknown>>(
    'select owner_kind, owner_id, version, author, assigned_at from category_schema_versions order by 1, 2, 3',
  )
  const commit = execFileSync('git', ['-C', checkout!, 'log', '-1', '--format=%h'], { encoding: 'utf8' }).trim()
  return { commit, at: Date.now(), world, readings, audit, versions }
}
