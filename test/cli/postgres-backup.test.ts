import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openBackupSchedule } from '../../src/cli/backups/scheduled-backup.ts'
import { openBackupRecord } from '../../src/operations/backup-record.ts'
import { copyPostgres, takeBackupTurn } from '../../src/storage/maintenance/postgres-copy.ts'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { noSessions, queryAt } from '../support/databases/postgres.ts'
import { emptyDatabase } from '../support/databases/test-database.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { readScrape } from '../support/portal/scrape.ts'
import { until } from '../support/until.ts'
import { countRows, filledFile, type Memory, requireMemory, settingsFor } from './filled-database.ts'
import { command } from './run-command.ts'

let original: string
let memory: Memory

beforeAll(async () => {
  const filled = await filledFile()
  original = filled.file
  memory = filled.memory
}, 600_000)

const begin = Date.parse('2026-11-20T03:00:00.000Z')
const day = 24 * 3_600_000

/** A PostgreSQL database with rows in every table. */
async function aDatabase(): Promise<string> {
  const url = await emptyDatabase()
  expect(await command(['migrate-data', '--from', `file:${original}`], { DATABASE_URL: url })).toMatchObject({
    code: 0,
  })
  return url
}

/** The schedule of one of the servers that share the database and the folder. */
function aSchedule(url: string, folder: string, clock = { now: begin }) {
  const record = openBackupRecord()
  const made: string[] = []
  const failures: string[] = []
  const schedule = openBackupSchedule({
    database: { engine: 'postgres', url, connections: 1 },
    setting: { folder, every: '24h', everyMilliseconds: day, keep: 2 },
    record,
    now: () => clock.now,
    onMade: ({ path }) => made.push(path),
    onFailure: (error) => failures.push(String(error)),
  })
  onTestFinished(() => schedule.end())
  return { ...schedule, record, made, failures }
}

test('a backup of PostgreSQL is one SQLite file, for its owner alone, and is restored to either engine', async () => {
  const url = await aDatabase()
  using folder = new Folder()
  const { run, made, failures } = aSchedule(url, folder.path)
  await run()
  expect(failures).toEqual([])
  const name = `${new URL(url).pathname.slice(1)}-2026-11-20T03-00-00.000Z.db`
  expect([readdirSync(folder.path), made]).toEqual([[name], [join(folder.path, name)]])
  expect(statSync(made[0]!).mode).toBe(0o100600)
  expect(countRows(made[0]!)).toEqual(countRows(original))

  const restored = `file:${temporaryFile()}`
  expect(await command(['restore', made[0]!], settingsFor(restored))).toMatchObject({ code: 0, complaint: '' })
  await requireMemory(restored, memory)

  const elsewhere = await emptyDatabase()
  const moved = await command(['migrate-data', '--from', `file:${made[0]}`], { DATABASE_URL: elsewhere })
  expect(moved).toMatchObject({ code: 0, complaint: '' })
  await requireMemory(elsewhere, memory)
}, 600_000)

/** Between two batches of a copy, which waits for it. */
function deleteAudit(url: string): void {
  const program = `import pg from 'pg'; const client = new pg.Client(process.argv[1]); await client.connect(); await client.query('delete from audit'); await client.end()`
  execFileSync(process.execPath, ['--input-type=module', '-e', program, url], { cwd: import.meta.dirname })
}

test('a copy has what there was when it began, whatever is written meanwhile', async () => {
  const url = await aDatabase()
  const file = temporaryFile()
  let isDeleted = false
  await copyPostgres(url, file, (stage) => {
    if (isDeleted || stage !== 'Reading the source') return
    isDeleted = true
    deleteAudit(url)
  })
  expect(await queryAt(url, 'select count(*)::int as rows from audit')).toEqual([{ rows: 0 }])
  expect(countRows(file)).toEqual(countRows(original))
})

describe('of several servers', () => {
  test('one makes the backup that is due, and each knows when it was made', async () => {
    const url = await aDatabase()
    using folder = new Folder()
    const clock = { now: begin }
    const servers = [1, 2, 3].map(() => aSchedule(url, folder.path, clock))
    await Promise.all(servers.map(({ run }) => run()))
    expect(servers.flatMap(({ failures }) => failures)).toEqual([])
    expect([readdirSync(folder.path).length, servers.flatMap(({ made }) => made).length]).toEqual([1, 1])
    // The others look again soon.
    clock.now += 10_000
    for (const { run } of servers) await run()
    expect(servers.map(({ record }) => record.lastAt())).toEqual([begin, begin, begin])
    expect(servers.flatMap(({ made }) => made)).toHaveLength(1)
    clock.now = begin + day
    for (const { run } of servers) await run()
    expect(servers.flatMap(({ made }) => made)).toHaveLength(2)
  })

  test('one that waits for its turn keeps drafts of the other, and makes one once that has ended', async () => {
    const url = await aDatabase()
    using folder = new Folder()
    const draft = `${new URL(url).pathname.slice(1)}-2026-11-20T02-00-00.000Z.db.part`
    writeFileSync(join(folder.path, draft), '')
    const { run, made } = aSchedule(url, folder.path)
    const turn = await takeBackupTurn(url)
    expect(await takeBackupTurn(url)).toBeUndefined()
    await run()
    expect([readdirSync(folder.path), made]).toEqual([[draft], []])
    await turn![Symbol.asyncDispose]()
    await run()
    expect([readdirSync(folder.path).length, made.length]).toEqual([1, 1])
  })
})

test('a backup that fails as the database is not there leaves nothing, is counted, and is tried again', async () => {
  using folder = new Folder()
  const clock = { now: begin }
  const { run, record, failures } = aSchedule('postgres://nobody@127.0.0.1:1/maps', folder.path, clock)
  await run()
  expect(failures).toEqual([expect.stringMatching(/127\.0\.0\.1:1/)])
  expect([readdirSync(folder.path), record.failures()]).toEqual([[], 1])
  clock.now += 600_000
  await run()
  expect(record.failures()).toBe(2)
})

test('a backup that is stopped leaves nothing, and no session', async () => {
  const url = await aDatabase()
  using folder = new Folder()
  const { run, end, made, failures } = aSchedule(url, folder.path)
  const running = run()
  await end()
  await running
  expect([readdirSync(folder.path), made, failures]).toEqual([[], [], []])
  await noSessions(url)
})

test('a server on PostgreSQL makes backups, and has their time in its metrics; so does the command', async () => {
  const url = await emptyDatabase()
  using folder = new Folder()
  const backups = join(folder.path, 'backups')
  mkdirSync(backups)
  const environment = { ...settingsFor(url), LOG_LEVEL: 'info', BACKUP_DIR: backups }
  await using server = await serve({ folder: folder.path, environment })
  await server.signIn('admin', adminPassword)
  await server.wrote(/"backup made"/)
  const metrics = async () => readScrape(await (await fetch(`${server.url}/metrics`)).text()).series
  await until('the time is shown', async () => (await metrics()).has('cartulary_last_backup_timestamp_seconds'))
  const target = join(folder.path, 'now.db')
  const printed = await command(['backup', target], settingsFor(url))
  const { host, pathname } = new URL(url)
  expect(printed).toMatchObject({ code: 0, complaint: '' })
  expect(printed.printed).toContain(`Backed up postgres://${host}${pathname} to ${target}.`)
  expect(Object.values(countRows(target)).reduce((sum, rows) => sum + rows, 0)).toBeGreaterThan(3)
  expect(await server.stop()).toMatchObject({ code: 0, err: '' })
})
