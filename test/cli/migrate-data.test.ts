import { copyFileSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSource, openTarget } from '../../src/storage/maintenance/move-end.ts'
import { type MoveStage, moveTables } from '../../src/storage/maintenance/move-tables.ts'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { openWorkPostgres } from '../storage/work-storage.ts'
import { noSessions, queryAt } from '../support/databases/postgres.ts'
import { emptyDatabase } from '../support/databases/test-database.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../support/length.ts'
import { Folder, run } from '../support/portal/process.ts'
import { write } from './beside.ts'
import { countRows, differences, filledFile, type Memory, openOn, requireMemory } from './filled-database.ts'
import { command } from './run-command.ts'

const stopped = 'Stopped; the same command goes on from here.'

let original: string
let memory: Memory

beforeAll(async () => {
  const filled = await filledFile({ isLarge: true })
  original = filled.file
  memory = filled.memory
}, 600_000)

function aSource(): string {
  const file = temporaryFile()
  copyFileSync(original, file)
  return file
}

function move(from: string, to: string) {
  // The target may have a password in it, so it need not be among the words.
  return command(['migrate-data', '--from', from], { DATABASE_URL: to })
}

function setting(url: string) {
  return url.startsWith('file:')
    ? ({ engine: 'sqlite', file: url.slice('file:'.length) } as const)
    : ({ engine: 'postgres', url, connections: 1 } as const)
}

/** Moves until something has happened for the so-manieth time, and ends there as if it were cut off. */
async function moveInPart(
  from: string,
  to: string,
  end: { stage: MoveStage; times: number },
): Promise<'cut off' | 'done'> {
  let times = 0
  const source = await openSource(setting(from))
  const target = await openTarget(setting(to))
  try {
    await moveTables(source, target, (stage) => {
      if (stage === end.stage) times += 1
      if (times === end.times) throw new Error('cut off')
    })
    return 'done'
  } catch (error) {
    expect(error).toEqual(new Error('cut off'))
    return 'cut off'
  } finally {
    await target.close()
    await source.close()
  }
}

test('each stage says how far it is of all there is, up to the end', async () => {
  const source = await openSource(setting(`file:${aSource()}`))
  const target = await openTarget(setting(`file:${temporaryFile()}`))
  const steps: { stage: MoveStage; share: number }[] = []
  await moveTables(source, target, (stage, done, total) => steps.push({ stage, share: done / total }))
  for (const end of [target, source]) await end.close()
  for (const [stage, ofStage] of Map.groupBy(steps, (step) => step.stage)) {
    const shares = ofStage.map(({ share }) => share)
    expect(shares, stage).toEqual(shares.toSorted((one, other) => one - other))
    expect([shares[0]! < 1, shares.at(-1)], stage).toEqual([true, 1])
  }
})

const amidCopying = { stage: 'Copying', times: 6 } as const
/** Every row is copied then, and nothing is compared yet. */
const beforeComparing = { stage: 'Reading the target', times: 1 } as const

test('a database with rows in every table goes to PostgreSQL and back, and a server works on each', async () => {
  const file = aSource()
  const counts = countRows(file)
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([])
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1_500)

  const url = await emptyDatabase()
  const there = await move(`file:${file}`, url)
  expect(there).toMatchObject({ code: 0, complaint: '' })
  expect(there.printed).toMatch(/^Moved [\d,]+ rows from file:\S+ to postgres:\/\/\S+; every table has the same rows/)
  expect(there.printed).toContain(`sealed with the secret of the source (${file}.key, unless it was set otherwise)`)

  const returned = temporaryFile()
  expect(await move(url, `file:${returned}`)).toMatchObject({ code: 0, complaint: '' })
  expect(countRows(returned)).toEqual(counts)
  expect(differences(file, returned)).toEqual({})

  const copied = temporaryFile()
  expect(await move(`file:${returned}`, `file:${copied}`)).toMatchObject({ code: 0, complaint: '' })
  expect(differences(file, copied)).toEqual({})

  for (const each of [`file:${file}`, url, `file:${returned}`]) await requireMemory(each, memory)
})

test('numbers of rows are kept, and PostgreSQL counts on after the highest', async () => {
  const file = aSource()
  const url = await emptyDatabase()
  await move(`file:${file}`, url)
  const database = new Database(file, { readonly: true })
  for (const table of ['audit', 'sign_in_failures']) {
    const numbers = database.prepare(`select id from ${table} order by id`).pluck().all()
    expect(
      (await queryAt<{ id: string }>(url, `select id from ${table} order by id`)).map(({ id }) => Number(id)),
    ).toEqual(numbers)
    const [next] = await queryAt<{ next: string }>(
      url,
      `select nextval(pg_get_serial_sequence('${table}', 'id')) as next`,
    )
    expect(Number(next!.next)).toBe(Number(numbers.at(-1)) + 1)
  }
  database.close()
})

describe.each([
  ['a SQLite file', async () => `file:${temporaryFile()}`],
  ['PostgreSQL', emptyDatabase],
])('a move into %s', (_engine, openEmpty) => {
  test('that is cut off again and again goes on where it was, copying nothing twice', async () => {
    const file = aSource()
    const to = await openEmpty()
    let attempts = 0
    while ((await moveInPart(`file:${file}`, to, { stage: 'Copying', times: 2 * attempts + 1 })) === 'cut off') {
      attempts += 1
      expect(attempts).toBeLessThan(100)
    }
    expect(attempts).toBeGreaterThan(3)
    const returned = temporaryFile()
    await move(to, `file:${returned}`)
    expect(differences(file, returned)).toEqual({})
  })

  test('that is not finished is not served, and the refusal says what to run', async () => {
    const file = aSource()
    const to = await openEmpty()
    await moveInPart(`file:${file}`, to, amidCopying)
    await expect(openOn(to)).rejects.toThrow(
      `A move into this database was not finished; run "cartulary migrate-data --from file:${file} --to …" again.`,
    )
    expect(await move(to, `file:${temporaryFile()}`)).toMatchObject({
      code: 1,
      complaint: expect.stringMatching(/is itself the target of an unfinished move/),
    })
    expect(await move(`file:${file}`, to)).toMatchObject({ code: 0 })
    await requireMemory(to, memory)
  })

  test.each([
    [
      'changed',
      "update users set email = 'wrong@example.com' where username = 'person20'",
      /^The table users of the target/,
    ],
    ['lost', 'delete from audit where id = 5', /^The table audit of the target is not equal .* the source has \d+\./],
    [
      'added',
      "insert into tokens (token_hash, user_id, created_at, expires_at) select 'f', user_id, 1, 2 from users limit 1",
      /^The table tokens of the target/,
    ],
  ])('finds a row that was %s meanwhile, and stays unfinished', async (_how, statement, complaint) => {
    const file = aSource()
    const to = await openEmpty()
    await moveInPart(`file:${file}`, to, beforeComparing)
    await write(to, statement)
    const ended = await move(`file:${file}`, to)
    expect(ended.code).toBe(1)
    expect(ended.complaint).toMatch(complaint)
    await expect(openOn(to)).rejects.toThrow('A move into this database was not finished')
  })

  test('goes on from the very same source only', async () => {
    const file = aSource()
    const to = await openEmpty()
    await moveInPart(`file:${file}`, to, amidCopying)
    await write(`file:${file}`, "update users set email = 'new@example.com' where username = 'person20'")
    expect((await move(`file:${file}`, to)).complaint).toMatch(
      /holds an unfinished move, but file:\S+ has changed since; remove that database and begin again/,
    )
    const other = `file:${aSource()}`
    await write(other, 'delete from audit where id = 1')
    expect((await move(other, to)).complaint).toMatch(/holds an unfinished move, but its source was file:/)
  })

  test('is refused where there are rows already', async () => {
    const to = await openEmpty()
    await (await openOn(to))[Symbol.asyncDispose]()
    expect(await move(`file:${aSource()}`, to)).toMatchObject({
      code: 1,
      complaint: expect.stringMatching(/is not empty: there are rows in its table portals\.$/),
    })
  })

  test('is refused where there is a table of another program', async () => {
    const to = await openEmpty()
    await write(to, 'create table theirs (a integer)')
    expect((await move(`file:${aSource()}`, to)).complaint).toMatch(/is not empty: it has a table theirs\.$/)
  })

  test('is refused while a server runs on either side', async () => {
    const file = aSource()
    const to = await openEmpty()
    {
      await using _server = await openOn(`file:${file}`)
      expect((await move(`file:${file}`, to)).complaint).toMatch(/is in use by another process; stop that one first\.$/)
    }
    {
      await using _server = await openOn(to)
      expect(await move(`file:${file}`, to)).toMatchObject({ code: 1, complaint: expect.stringMatching(inUse) })
      expect(await move(to, `file:${temporaryFile()}`)).toMatchObject({
        code: 1,
        complaint: expect.stringMatching(inUse),
      })
    }
  })

  test('is refused into itself', async () => {
    const to = await openEmpty()
    await (await openOn(to))[Symbol.asyncDispose]()
    expect(await move(to, to)).toMatchObject({ code: 1, complaint: 'The source and the target are the same database.' })
  })

  test('stops when it is asked to end, and goes on later', async () => {
    const file = aSource()
    const to = await openEmpty()
    const words = ['migrate-data', '--from', `file:${file}`, '--to', to]
    expect(await command(words, {}, AbortSignal.abort())).toMatchObject({ code: 1, complaint: stopped })
    expect(await command(words)).toMatchObject({ code: 0, complaint: '' })
  })
})

const inUse = /is in use by (another process; stop that one|a running server; stop it) first\.$/

test('a move and a server keep each other away from PostgreSQL', async () => {
  const url = await emptyDatabase()
  await using end = { target: await openTarget(setting(url)), [Symbol.asyncDispose]: () => end.target.close() }
  await end.target.claim()
  await expect(openWorkPostgres(url)).rejects.toThrow('is being moved')
})

test.each([
  ['no version', 'delete from kysely_migration', /is not a Cartulary database\.$/],
  [
    'a newer version',
    "insert into kysely_migration values ('999-later', '2030-01-01')",
    /newer version.*999-later\); install that version\.$/,
  ],
])('a source of %s is refused', async (_what, statement, complaint) => {
  const file = aSource()
  await write(`file:${file}`, statement)
  expect(await move(`file:${file}`, await emptyDatabase())).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(complaint),
  })
})

test.each([
  ['another kind', 'mysql://u:hidden@h/d', '--from begins with "mysql:"'],
  ['in memory', 'file::memory:', '--from is a database in memory'],
  ['that is not there', 'file:/nowhere/x.db', 'There is no database at /nowhere/x.db.'],
])('a source %s is refused', async (_how, from, sentence) => {
  const { code, complaint } = await command(['migrate-data', '--from', from, '--to', 'file:/nowhere/y.db'])
  expect(code).toBe(1)
  expect(complaint).toContain(sentence)
  expect(complaint).not.toContain('hidden')
  expect(existsSync('/nowhere')).toBe(false)
})

test('the password in a URL is never printed', async () => {
  const url = new URL(await emptyDatabase())
  url.password = 'hidden-word'
  const done = await move(`file:${aSource()}`, url.href)
  expect(done).toMatchObject({ code: 0 })
  url.pathname = '/nowhere'
  const refused = await move(`file:${aSource()}`, url.href)
  expect(refused.code).toBe(1)
  expect(JSON.stringify([done, refused])).not.toContain('hidden-word')
})

const kills = countOf({ sample: 2, long: 60 })
/** Fewer than a whole move takes. */
const statements = 250

test(`a process that is killed ${kills} times, between any two statements, leaves what the next one goes on with`, {
  timeout: timeoutOf(kills, 60_000),
}, async () => {
  using folder = new Folder()
  const random = seededRandom(4)
  const file = aSource()
  for (let killed = 0; killed < kills; killed += 1) {
    const to = killed % 2 === 0 ? await emptyDatabase() : `file:${temporaryFile()}`
    const ended = await run({
      folder: folder.path,
      words: ['migrate-data', '--from', `file:${file}`, '--to', to],
      environment: { KILL_AT: String(1 + Math.floor(random() * statements)) },
      nodeWords: ['--import', killedAtStatement],
    })
    expect(ended.code, ended.err).toBeNull()
    if (!to.startsWith('file:')) await noSessions(to)
    expect(await move(`file:${file}`, to)).toMatchObject({ code: 0, complaint: '' })
    const returned = temporaryFile()
    expect(await move(to, `file:${returned}`)).toMatchObject({ code: 0, complaint: '' })
    expect(differences(file, returned)).toEqual({})
  }
})

const killedAtStatement = fileURLToPath(new URL('./killed-at-statement.mjs', import.meta.url))
