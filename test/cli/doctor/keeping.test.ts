import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filledFile } from '../filled-database.ts'
import { aFile, doctor } from './inspected.ts'

describe('doctor on the backups of a server', () => {
  async function aFolder(): Promise<{ url: string; folder: string; settings: Readonly<Record<string, string>> }> {
    const url = await aFile()
    const folder = `${url.slice('file:'.length)}.backups`
    return { url, folder, settings: { BACKUP_DIR: folder, BACKUP_EVERY: '24h' } }
  }

  const nameOf = (hoursAgo: number, database = 'cartulary') =>
    `${database}-${new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replaceAll(':', '-')}.db`

  test('says how old the latest is, and that it can be opened', async () => {
    const { url, folder, settings } = await aFolder()
    mkdirSync(folder)
    for (const hours of [5, 29]) copyFileSync((await filledFile()).file, join(folder, nameOf(hours)))
    const { code, lines, warnings } = await doctor(url, settings)
    expect([code, warnings]).toEqual([
      0,
      [expect.stringMatching(/^The backups in \S+ are on the disk of the database: what destroys one destroys both\./)],
    ])
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^ok {7}The latest backup, \S+, is 5 hours old, has [\d.]+ MB, and can be opened; there are 2\.$/,
      ),
    )
  })

  test('counts the latest also where the clock of the server that made it is half a minute ahead', async () => {
    const { url, folder, settings } = await aFolder()
    mkdirSync(folder)
    copyFileSync((await filledFile()).file, join(folder, nameOf(-1 / 120)))
    const { code, lines } = await doctor(url, settings)
    expect(code).toBe(0)
    expect(lines).toContainEqual(expect.stringMatching(/^ok {7}The latest backup, \S+, is 0 minutes old/))
  })

  test.each<[string, (folder: string) => void | Promise<void>, RegExp]>([
    [
      'that are too old',
      async (folder) => copyFileSync((await filledFile()).file, join(folder, nameOf(50))),
      /is 2 days old, .* every 24h: see the log/,
    ],
    [
      'that are no database',
      (folder) => writeFileSync(join(folder, nameOf(1)), 'not a database '.repeat(300)),
      /^The latest backup cannot be used: /,
    ],
    [
      'whose folder is a file',
      (folder) => {
        rmSync(folder, { recursive: true })
        writeFileSync(folder, '')
      },
      /^The backups in \S+ cannot be read: ENOTDIR/,
    ],
    [
      'that every user may remove',
      (folder) => chmodSync(folder, 0o777),
      /^Every user may write in the folder of backups \(mode 777\), and so remove or plant one: chmod o-w /,
    ],
  ])('calls backups %s a problem', async (_what, harm, words) => {
    const { url, folder, settings } = await aFolder()
    mkdirSync(folder)
    await harm(folder)
    const { code, problems, complaint } = await doctor(url, settings)
    expect([code, problems]).toEqual([1, [expect.stringMatching(words)]])
    expect(complaint).toBe('There is 1 problem.')
  })
})

test.each([
  [
    'none is made yet',
    'backups',
    0,
    'warning',
    /^There is no backup in \S+ yet: a server makes one when it starts, or logs/,
  ],
  ['the disk for them is not mounted', 'disk/backups', 1, 'problem', /^The backups in \S+ cannot be read: ENOENT/],
] as const)('doctor says that %s', async (_what, folder, code, level, words) => {
  const url = await aFile()
  const settings = { BACKUP_DIR: join(dirname(url.slice('file:'.length)), folder) }
  const found = await doctor(url, settings)
  expect(found.code).toBe(code)
  expect(level === 'warning' ? found.warnings : found.problems).toEqual([expect.stringMatching(words)])
})

test('doctor counts warnings at its end, and says how fast the audit grows', async () => {
  const url = await aFile()
  chmodSync(url.slice('file:'.length), 0o644)
  const { code, lines } = await doctor(url)
  expect([code, lines.at(-1)]).toEqual([0, 'There are no problems, but 1 warning.'])
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^ok {7}The database has [\d.]+ MB\. Its audit has \d+ entries since \S+, \d+ of them of the last 7 days\.$/,
    ),
  )
})

test('doctor names the reserve for a full disk where there is one', async () => {
  const url = await aFile()
  writeFileSync(`${url.slice('file:'.length)}.reserve`, Buffer.alloc(2_000_000))
  expect((await doctor(url)).lines).toContainEqual(
    expect.stringMatching(
      /^ok {7}When the disk is full, delete the reserve, \S+\.reserve: it frees 2 MB, enough to sign in\.$/,
    ),
  )
})

test('doctor says below what nothing is added to the disk, and whether it is', async () => {
  const url = await aFile()
  const room =
    /^[\d.,]+ MB are free on the disk and in the file .* below 33\.6 MB \(MIN_FREE_DISK_BYTES, MIN_FREE_DISK_PERCENT\) nothing/
  const { lines } = await doctor(url, { MIN_FREE_DISK_PERCENT: '0' })
  expect(lines.map((line) => line.slice(9))).toContainEqual(expect.stringMatching(room))
  const { code, problems } = await doctor(url, { MIN_FREE_DISK_PERCENT: '100' })
  expect([code, problems]).toEqual([
    1,
    [expect.stringMatching(/nothing is added\. Make room, or have items deleted\.$/)],
  ])
})
