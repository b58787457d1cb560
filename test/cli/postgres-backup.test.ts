import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openBackupSchedule } from '../../src/cli/backups/scheduled-backup.ts'
import { openBackupRecord } from '../../src/operations/backup-record.ts'
import { copyPostgres, takeBackupTurn } from '../../src/storage/maintenance/postgres-copy.ts'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { noteFormer } from '../support/databases/former-migrations.ts'
import { noSessions, queryAt } from '../support/databases/postgres.ts'
import { createDatabase, emptyDatabase } from '../support/databases/test-database.ts'
import { FaultyNetwork } from '../support/faults/faulty-network.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { readScrape } from '../support/portal/scrape.ts'
import { countThreads } from '../support/threads.ts'
import { until } from '../support/until.ts'
import { aFilled, countRows, filledFile, type Memory, requireMemory, settingsFor } from './filled-database.ts'
import { command } from './run-command.ts'

/** Files in a folder of backups, without those of SHA-256. */
const namesIn = (folder: string) => readdirSync(folder).filter((name) => !name.endsWith('.sha256'))

let original: string
let memory: Memory
let idleSession: ReturnType<typeof openIdleSession>

beforeAll(async () => {
  const filled = await filledFile()
  original = filled.file
  memory = filled.memory
  idleSession = openIdleSession(await createDatabase())
}, 600_000)

const begin = Date.parse('2026-11-20T03:00:00.000Z')
const day = 24 * 3_600_000

/** A PostgreSQL database with rows in every table. */
const aDatabase = () => aFilled('PostgreSQL')

/** Where PostgreSQL ends sessions that are idle for ten seconds: a turn, and a later session. They pass during other tests. */
async function openIdleSession(url: string) {
  await queryAt(url, `alter database ${new URL(url).pathname.slice(1)} set idle_session_timeout = '10s'`)
  const turn = await takeBackupTurn(url)
  const idle = new pg.Client({ connectionString: url })
  const ended = Promise.withResolvers<void>()
  idle.on('error', () => undefined).on('end', () => ended.resolve())
  await idle.connect()
  return { url, turn, ended: ended.promise }
}

/** Name of a backup file of the database. */
function nameAt(url: string, time: string): string {
  return `${new URL(url).pathname.slice(1)}.postgres-${time}.db`
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
  const name = nameAt(url, '2026-11-20T03-00-00.000Z')
  expect([namesIn(folder.path), made]).toEqual([[name], [join(folder.path, name)]])
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
    expect([namesIn(folder.path).length, servers.flatMap(({ made }) => made).length]).toEqual([1, 1])
    // The others ask for the turn again.
    clock.now += 60_000
    for (const { run } of servers) await run()
    expect(servers.map(({ record }) => record.lastAt())).toEqual([begin, begin, begin])
    expect(servers.flatMap(({ made }) => made)).toHaveLength(1)
    clock.now = begin + day
    for (const { run } of servers) await run()
    expect(servers.flatMap(({ made }) => made)).toHaveLength(2)
  })

  test('one that waits for its turn asks once in a minute, and makes a backup once that of the other has ended', async () => {
    const url = await aDatabase()
    using folder = new Folder()
    await using network = await FaultyNetwork.open(url)
    const clock = { now: begin }
    const { run, made } = aSchedule(network.url, folder.path, clock)
    const turn = await takeBackupTurn(url)
    expect(await takeBackupTurn(url)).toBeUndefined()
    await run()
    await turn![Symbol.asyncDispose]()
    clock.now += 60_000 - 1
    await run()
    expect([network.begun, made]).toEqual([1, []])
    clock.now += 1
    await run()
    expect([namesIn(folder.path).length, made.length]).toEqual([1, 1])
  })

  test('one that has the turn keeps drafts that another may still be writing, and removes old ones', async () => {
    const url = await aDatabase()
    using folder = new Folder()
    const young = ['.part', '.part-wal', '.part-shm'].map((ending) => nameAt(url, '2026-11-19T15-00-00.000Z') + ending)
    const old = ['.part', '.part-wal', '.part-shm'].map((ending) => nameAt(url, '2026-11-19T14-59-59.999Z') + ending)
    for (const name of [...young, ...old]) writeFileSync(join(folder.path, name), '')
    const { run, made } = aSchedule(url, folder.path)
    await run()
    expect(made).toHaveLength(1)
    expect(namesIn(folder.path).toSorted()).toEqual([...young, nameAt(url, '2026-11-20T03-00-00.000Z')].toSorted())
  })

  test('one that loses its turn stops its copy, leaves nothing, and counts a failure', async () => {
    const url = await aDatabase()
    using folder = new Folder()
    const clock = { now: begin }
    const { run, record, made, failures } = aSchedule(url, folder.path, clock)
    // The copy waits for this table, so that it cannot end before the turn is lost.
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await other.query('begin; lock table audit in access exclusive mode')
    const threads = countThreads(() => void queryAt(url, endingTurn))
    await run()
    await other.end()
    expect([threads.begun, failures, record.failures()]).toEqual([1, [expect.stringMatching(/was lost/)], 1])
    expect([namesIn(folder.path), made]).toEqual([[], []])
  })

  test('one keeps its turn where PostgreSQL ends idle sessions', async () => {
    const { url, turn, ended } = await idleSession
    await using held = turn
    await ended
    expect(await takeBackupTurn(url)).toBeUndefined()
    expect(held!.lost.aborted).toBe(false)
  })
})

test('a backup that fails as the database is not there leaves nothing, is counted, and is tried again', async () => {
  using folder = new Folder()
  const clock = { now: begin }
  const { run, record, failures } = aSchedule('postgres://nobody@127.0.0.1:1/maps', folder.path, clock)
  await run()
  expect(failures).toEqual([expect.stringMatching(/127\.0\.0\.1:1/)])
  expect([namesIn(folder.path), record.failures()]).toEqual([[], 1])
  clock.now += 600_000
  await run()
  expect(record.failures()).toBe(2)
})

/** Ends the connection that holds the lock, as a network does that drops it. */
const endingTurn = `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where locktype = 'advisory' and objid = 4270102 and datname = current_database()`

test('a copy of a database with a damaged document is refused, and nothing is left of it', async () => {
  const url = await aDatabase()
  await queryAt(url, `update audit set operation = operation || 'x' where id = (select min(id) from audit)`)
  const to = `${temporaryFile()}.copy`
  await expect(copyPostgres(url, to, () => undefined)).rejects.toThrow(
    /^The database is damaged: the row of audit \(id \d+\) is not what was written\. "cartulary doctor" lists all rows like it\.$/,
  )
  expect(existsSync(to)).toBe(false)
})

test('a backup does not count those of a SQLite file of the same name, and removes none of them', async () => {
  const url = await aDatabase()
  using folder = new Folder()
  const others = [17, 18, 19].map((at) => nameAt(url, `2026-11-${at}T12-00-00.000Z`).replace('.postgres', ''))
  for (const name of others) writeFileSync(join(folder.path, name), '')
  const { run, made } = aSchedule(url, folder.path)
  await run()
  expect(made).toHaveLength(1)
  expect(namesIn(folder.path)).toHaveLength(4)
})

test('tables of an older version are refused with advice for a backup', async () => {
  const url = await aDatabase()
  using folder = new Folder()
  await queryAt(url, noteFormer().join(';'))
  const target = join(folder.path, 'before.db')
  const { code, complaint } = await command(['backup', target], settingsFor(url))
  expect(code).toBe(1)
  expect(complaint).toMatch(
    /has the tables of an older version of Cartulary; back it up with the version whose servers run on it, before this one changes the tables\.$/,
  )
  expect(namesIn(folder.path)).toEqual([])
})

test('a backup that is stopped while it takes its turn begins no copy', async () => {
  const url = await aDatabase()
  using folder = new Folder()
  await using network = await FaultyNetwork.open(url)
  const { run, end, made, failures } = aSchedule(network.url, folder.path)
  const threads = countThreads()
  network.silence()
  const running = run()
  await until('the turn is asked for', () => network.begun === 1)
  const ended = end()
  await network.pass()
  await Promise.all([running, ended])
  expect([threads.begun, namesIn(folder.path), made, failures]).toEqual([0, [], [], []])
})

test('a backup that is stopped while it copies leaves nothing, and no session', async () => {
  const url = await aDatabase()
  using folder = new Folder()
  const { run, end, made, failures } = aSchedule(url, folder.path)
  const threads = countThreads(() => void end())
  await run()
  await end()
  expect([threads.begun, namesIn(folder.path), made, failures]).toEqual([1, [], [], []])
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

test('restore to PostgreSQL says what to use instead, and backup of an empty database there makes no file', async () => {
  const settings = settingsFor(await emptyDatabase())
  const restored = await command(['restore', 'copy.db'], settings)
  expect(restored.code).toBe(2)
  expect(restored.complaint).toMatch(/cartulary migrate-data --from file:<backup>/)
  const copied = await command(['backup', 'copy.db'], settings)
  expect(copied).toMatchObject({ code: 1, complaint: expect.stringMatching(/is not a Cartulary database\.$/) })
  expect(readdirSync('.').filter((name) => name.startsWith('copy.db'))).toEqual([])
})
