import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type BackupNeeds, type MadeBackup, openBackupSchedule } from '../../src/cli/backups/scheduled-backup.ts'
import { openBackupRecord } from '../../src/operations/backup-record.ts'
import { copyInThread } from '../../src/storage/maintenance/threaded-copy.ts'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { readScrape } from '../support/portal/scrape.ts'
import { countThreads } from '../support/threads.ts'
import { until } from '../support/until.ts'
import { damage } from './damaged-database.ts'
import { countRows, filledFile, requireMemory, settingsFor } from './filled-database.ts'
import { command } from './run-command.ts'

let filled: Awaited<ReturnType<typeof filledFile>>

beforeAll(async () => {
  filled = await filledFile()
}, 600_000)

const hour = 3_600_000
const begin = Date.parse('2026-11-20T03:00:00.000Z')

/** A database with a schedule whose clock a test sets; backups once a day, of which two are kept. */
function aSchedule(setting: Partial<BackupNeeds['setting']> = {}, folderRecord?: string) {
  const file = temporaryFile()
  copyFileSync(filled.file, file)
  const folder = `${file}.backups`
  const clock = { now: begin }
  const made: MadeBackup[] = []
  const failures: string[] = []
  const open = (record = openBackupRecord()) => {
    const schedule = openBackupSchedule({
      database: { engine: 'sqlite', file },
      setting: { folder, every: '24h', everyMilliseconds: 24 * hour, keep: 2, ...setting },
      record,
      folderRecord,
      now: () => clock.now,
      onMade: (backup) => made.push(backup),
      onFailure: (error) => failures.push(String(error)),
    })
    onTestFinished(() => schedule.end())
    return { ...schedule, record }
  }
  const names = () =>
    readdirSync(folder)
      .filter((name) => !name.endsWith('.sha256'))
      .toSorted()
  return { file, folder, clock, made, failures, open, names }
}

const nameAt = (day: number, time: string) => `cartulary-2026-11-${day}T${time.replaceAll(':', '-')}.000Z.db`

test('a backup is made when the latest is old enough, whatever restarts there are, and only so many are kept', async () => {
  const { clock, names, open, made } = aSchedule()
  const first = open()
  expect(first.record.lastAt()).toBeUndefined()
  await first.run()
  await first.run()
  expect(names()).toEqual([nameAt(20, '03:00:00')])
  expect(first.record.lastAt()).toBe(begin)
  clock.now += 24 * hour - 1
  await first.run()
  expect(made).toHaveLength(1)
  await first.end()
  const second = open()
  await second.run()
  expect(second.record.lastAt()).toBe(begin)
  expect(made).toHaveLength(1)
  clock.now += 1
  await second.run()
  expect(names()).toEqual([nameAt(20, '03:00:00'), nameAt(21, '03:00:00')])
  clock.now += 30 * hour
  await second.run()
  expect(names()).toEqual([nameAt(21, '03:00:00'), nameAt(22, '09:00:00')])
  expect(made.at(-1)).toMatchObject({ removed: [expect.stringContaining(nameAt(20, '03:00:00'))] })
})

test('a backup is whole, readable by its owner alone, and restores everything', async () => {
  const { file, open, made } = aSchedule()
  await open().run()
  const [{ path, bytes }] = made as [MadeBackup]
  expect(statSync(path)).toMatchObject({ size: bytes, mode: 0o100600 })
  expect(countRows(path)).toEqual(countRows(file))
  const restored = `file:${temporaryFile()}`
  expect(await command(['restore', path], settingsFor(restored))).toMatchObject({ code: 0, complaint: '' })
  await requireMemory(restored, filled.memory)
})

describe('a backup that fails', () => {
  test('leaves nothing, removes no older one, does not count, and is tried again', async () => {
    const { file, clock, names, open, made, failures } = aSchedule({ keep: 1 })
    const { run, record } = open()
    await run()
    damage(file)
    clock.now += 24 * hour
    await run()
    expect(failures).toEqual([expect.stringMatching(/The file \S+ is damaged: /)])
    expect(names()).toEqual([nameAt(20, '03:00:00')])
    expect([record.lastAt(), record.failures()]).toEqual([begin, 1])
    clock.now += 600_000 - 1
    await run()
    expect(failures).toHaveLength(1)
    clock.now += 1
    await run()
    expect(failures).toHaveLength(2)
    copyFileSync(filled.file, file)
    clock.now += 600_000
    await run()
    expect(names()).toEqual([nameAt(21, '03:20:00')])
    expect([made.length, record.lastAt()]).toEqual([2, clock.now])
  })

  test.each([
    ['is a file', (folder: string) => writeFileSync(folder, '')],
    ['is below one that is not there', (folder: string) => rmSync(join(folder, '..'), { recursive: true })],
  ])('as its folder %s says so', async (_what, harm) => {
    const parent = `${temporaryFile()}.disk`
    mkdirSync(parent)
    const folder = join(parent, 'backups')
    const { open, failures } = aSchedule({ folder })
    harm(folder)
    await open().run()
    expect(failures).toEqual([expect.stringContaining(folder)])
  })

  test('as every user may write in its folder says so, whatever backups were planted there', async () => {
    const { clock, folder, open, names, failures } = aSchedule()
    mkdirSync(folder)
    writeFileSync(join(folder, nameAt(20, '03:00:00')), '')
    chmodSync(folder, 0o777)
    const { run } = open()
    await run()
    expect(failures).toEqual([
      `StorageUnavailable: Every user may write in the folder of backups (mode 777), and so remove or plant one: chmod o-w ${folder}.`,
    ])
    expect(names()).toEqual([nameAt(20, '03:00:00')])
    chmodSync(folder, 0o1777)
    clock.now += 24 * hour
    await run()
    expect(names()).toContain(nameAt(21, '03:00:00'))
  })

  test('as it is stopped leaves nothing, and is no failure', async () => {
    const { folder, names, open, made, failures } = aSchedule()
    mkdirSync(folder)
    const { run, end } = open()
    const threads = countThreads(() => void end())
    await run()
    await end()
    expect([threads.begun, names(), made, failures]).toEqual([1, [], [], []])
  })

  test('as it is stopped before it copies begins no copy', async () => {
    const { folder, open, made, failures } = aSchedule()
    const { run, end } = open()
    const threads = countThreads()
    const running = run()
    await end()
    await running
    expect([threads.begun, existsSync(folder), made, failures]).toEqual([0, false, [], []])
  })

  test('as it was stopped already begins no thread', async () => {
    const { file } = aSchedule()
    const threads = countThreads()
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(copyInThread({ engine: 'sqlite', file }, `${file}.copy`, stopped)).rejects.toThrow('stopped')
    expect(threads.begun).toBe(0)
  })
})

test('a folder in the place of that of the first backup is refused, as its disk may not be mounted', async () => {
  const record = `${temporaryFile()}.backup-folder`
  const { clock, folder, names, open, failures } = aSchedule({}, record)
  await open().run()
  renameSync(folder, `${folder}.away`)
  const { run } = open()
  const tryAgain = async () => {
    clock.now += 24 * hour
    await run()
  }
  const refusal = `StorageUnavailable: ${folder} is not the folder of the first backup: its disk may not be mounted. If you have changed it on purpose, delete ${record}.`
  await tryAgain()
  expect([failures, existsSync(folder)]).toEqual([[refusal], false])
  mkdirSync(folder)
  await tryAgain()
  expect([failures, names()]).toEqual([[refusal, refusal], []])
  rmSync(folder, { recursive: true })
  renameSync(`${folder}.away`, folder)
  await tryAgain()
  expect(names()).toContain(nameAt(23, '03:00:00'))
  rmSync(folder, { recursive: true })
  rmSync(record)
  await tryAgain()
  expect(names()).toContain(nameAt(24, '03:00:00'))
  expect(failures).toHaveLength(2)
})

test('a command gets the path of each backup, without a shell; while it fails, the backup counts as failed, and it is tried again', async () => {
  const done = temporaryFile()
  const command = `${done}.sh`
  const write = (line: string) => writeFileSync(command, `#!/bin/sh\n${line}\n`, { mode: 0o700 })
  write('echo "no route" >&2; exit 3')
  const { clock, open, made, failures } = aSchedule({ command })
  const { run, record } = open()
  await run()
  const [{ path }] = made as [MadeBackup]
  expect(failures).toEqual([expect.stringMatching(/BACKUP_COMMAND failed for \S+: .*no route/s)])
  expect([record.hasFailed(), record.lastAt()]).toEqual([true, begin])
  write(`printf '%s|' "$#" "$@" > ${done}`)
  await run()
  expect(existsSync(done)).toBe(false)
  clock.now += 600_000
  await run()
  expect([readFileSync(done, 'utf8'), made.length, record.hasFailed()]).toEqual([`1|${path}|`, 1, false])
})

test('the SHA-256 beside a backup is compared by verify and restore, and goes with it', async () => {
  const { clock, folder, open, made } = aSchedule({ keep: 1 })
  const { run } = open()
  await run()
  const [{ path }] = made as [MadeBackup]
  const verify = () => command(['backup', 'verify', path], settingsFor(`file:${temporaryFile()}`))
  expect(await verify()).toMatchObject({ code: 0, printed: expect.stringContaining('Its SHA-256 is that') })
  // A part of the file that no check of documents and texts looks at.
  const bytes = readFileSync(path)
  bytes[bytes.indexOf('$argon2id$') + 60]! ^= 1
  writeFileSync(path, bytes)
  const complaint = `The backup ${path} is not what was written, as the SHA-256 in ${path}.sha256 says: take another one.`
  expect(await verify()).toMatchObject({ code: 1, complaint })
  expect(await command(['restore', path], settingsFor(`file:${temporaryFile()}`))).toMatchObject({ code: 1, complaint })
  clock.now += 24 * hour
  await run()
  expect(readdirSync(folder).toSorted()).toEqual([nameAt(21, '03:00:00'), `${nameAt(21, '03:00:00')}.sha256`])
})

test('drafts of a killed server are removed, and files of others stay', async () => {
  const { folder, open, names } = aSchedule({ keep: 1 })
  mkdirSync(folder)
  const others = ['notes.txt', 'seas-2026-11-01T03-00-00.000Z.db', 'cartulary-before-upgrade.db']
  const drafts = [`${nameAt(19, '03:00:00')}.part`, `${nameAt(19, '03:00:00')}.part-journal`]
  for (const name of [...others, ...drafts, nameAt(18, '03:00:00')]) writeFileSync(join(folder, name), '')
  await open().run()
  expect(names()).toEqual([...others, nameAt(20, '03:00:00')].toSorted())
})

test('after an attempt, the folder is not even read for ten minutes', async () => {
  const { clock, folder, open } = aSchedule()
  const { run, record } = open()
  await run()
  clock.now += 60_000
  writeFileSync(join(folder, nameAt(20, '03:01:00')), '')
  clock.now += 540_000 - 1
  await run()
  expect(record.lastAt()).toBe(begin)
  clock.now += 1
  await run()
  expect(record.lastAt()).toBe(begin + 60_000)
})

test('a backup from a clock that was ahead does not put off the next one', async () => {
  const { clock, folder, open, names, made } = aSchedule()
  mkdirSync(folder)
  writeFileSync(join(folder, nameAt(30, '03:00:00')), '')
  const { run } = open()
  await run()
  expect(names()).toContain(nameAt(20, '03:00:00'))
  clock.now -= 10 * hour
  await run()
  expect(made).toHaveLength(2)
})

test('a server makes backups while it is written to, says so in its log, and has their time in its metrics', async () => {
  using folder = new Folder()
  const backups = join(folder.path, 'backups')
  const environment = {
    ...settingsFor(`file:${folder.path}/maps.db`),
    LOG_LEVEL: 'info',
    BACKUP_DIR: backups,
    BACKUP_EVERY: '1m',
  }
  await using server = await serve({ folder: folder.path, environment })
  const token = await server.signIn('admin', adminPassword)
  await server.wrote(/"backup made"/)
  expect(await server.post('/portals/self/update', { token, description: 'written' })).toEqual({ success: true })
  const name = readdirSync(backups).find((one) => one.endsWith('.db'))
  expect(server.log).toContainEqual(
    expect.objectContaining({ level: 'info', message: 'backup made', path: join(backups, name!), removed: [] }),
  )
  const { series } = readScrape(await (await fetch(`${server.url}/metrics`)).text())
  const at = Date.parse(name!.slice('maps-'.length, -'.db'.length).replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
  await until('the time is shown', () => series.get('cartulary_last_backup_timestamp_seconds') === at / 1000)
  expect(series.get('cartulary_backup_failures_total')).toBe(0)
  expect(await server.stop()).toMatchObject({ code: 0, err: '' })
})
