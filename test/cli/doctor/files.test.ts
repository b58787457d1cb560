import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { makeCertificate } from '../../support/portal/certificate.ts'
import { Folder } from '../../support/portal/process.ts'
import { settingsFor } from '../filled-database.ts'
import { command } from '../run-command.ts'
import { aFile, doctor } from './inspected.ts'

/** Every file in a folder with its time and its content; but not the memory that readers of SQLite share. */
function photograph(folder: string): readonly unknown[] {
  return readdirSync(folder)
    .filter((name) => !name.endsWith('-shm'))
    .sort()
    .map((name) => [name, statSync(join(folder, name)).mtimeMs, readFileSync(join(folder, name)).toString('base64')])
}

describe('doctor on files', () => {
  test.each([
    ['after a server that ended', async () => undefined],
    [
      'after a server that was killed',
      async (file: string) => {
        const copy = new Database(file)
        copy.pragma('journal_mode = WAL')
        copy.exec("update users set description = 'new'")
        for (const ending of ['-wal', '-shm']) copyFileSync(`${file}${ending}`, `${file}.kept${ending}`)
        copyFileSync(file, `${file}.kept`)
        copy.close()
        for (const ending of ['', '-wal', '-shm']) copyFileSync(`${file}.kept${ending}`, `${file}${ending}`)
      },
    ],
  ])('%s leaves every file as it was', async (_how, prepare) => {
    const file = (await aFile()).slice('file:'.length)
    await prepare(file)
    const before = photograph(dirname(file))
    expect(await doctor(`file:${file}`)).toMatchObject({ code: 0 })
    expect(photograph(dirname(file))).toEqual(before)
  })

  test('finds pages that are damaged', async () => {
    const url = await aFile()
    const file = url.slice('file:'.length)
    // Pages of one table: without those that say which tables there are, no database opens.
    const database = new Database(file)
    const pages = database.prepare("select pageno from dbstat where name = 'audit'").pluck().all() as number[]
    const size = Number(database.pragma('page_size', { simple: true }))
    database.close()
    const bytes = readFileSync(file)
    for (const page of pages) bytes.fill(0, (page - 1) * size, page * size)
    writeFileSync(file, bytes)
    expect(pages.length).toBeGreaterThan(0)
    const { code, problems } = await doctor(url)
    expect(code).toBe(1)
    expect(problems.join('\n')).toMatch(/Restore a backup\./)
  })

  test('finds a secret that is missing, and makes none', async () => {
    const url = await aFile()
    const path = `${url.slice('file:'.length)}.key`
    const settings = { ...settingsFor(url), SECRET_KEY: '' }
    const { code, printed } = await command(['doctor'], settings)
    expect(code).toBe(1)
    expect(printed).toContain(`problem  The secret is missing from ${path}, or too short`)
    expect(existsSync(path)).toBe(false)
  })

  test('warns of files that others may read, and of a database that was just restored', async () => {
    const url = await aFile()
    const file = url.slice('file:'.length)
    const database = new Database(file)
    database.pragma('journal_mode = DELETE')
    database.close()
    chmodSync(file, 0o644)
    const { code, warnings } = await doctor(url)
    expect(code).toBe(0)
    expect(warnings).toEqual([
      'The journal mode is delete, as in a restored file; the next start of a server makes it wal.',
      `Others than its owner may use the file ${file} (mode 644); chmod 600 it.`,
    ])
  })

  test('looks at the certificate', async () => {
    using folder = new Folder()
    const url = await aFile()
    const { cert, key } = makeCertificate('maps.example.com')
    const certFile = join(folder.path, 'cert.pem')
    const keyFile = join(folder.path, 'key.pem')
    const settings = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }
    writeFileSync(certFile, cert)
    writeFileSync(keyFile, key)
    const good = await doctor(url, settings)
    expect(good.lines).toContain('ok       The certificate is good until 2049-12-31, and its key belongs to it.')
    writeFileSync(keyFile, makeCertificate('maps.example.com').key)
    expect(await doctor(url, settings)).toMatchObject({
      code: 1,
      problems: [expect.stringContaining('is not the key of the certificate in')],
    })
    rmSync(keyFile)
    expect(await doctor(url, settings)).toMatchObject({ code: 1, problems: [expect.stringContaining('ENOENT')] })
  })
})
