import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Certificate, findTimeProblem, keepRenewed, readCertificate } from '../../src/start/certificate.ts'
import { makeCertificate } from '../support/portal/certificate.ts'
import { Folder } from '../support/portal/process.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const minute = 60_000
const day = 86_400_000

/** A certificate in two files that is kept renewed, with what is used and what the log says. */
class Kept implements Disposable {
  readonly folder = new Folder()
  readonly files = { certFile: join(this.folder.path, 'cert.pem'), keyFile: join(this.folder.path, 'key.pem') }
  readonly used: Certificate[] = []
  readonly lines: string[] = []
  now = Date.parse('2026-11-20')
  readonly renewed

  constructor(first = makeCertificate('localhost')) {
    this.write(first)
    this.renewed = keepRenewed({
      files: this.files,
      present: readCertificate(this.files),
      use: (certificate) => void this.used.push(certificate),
      log: {
        info: (message) => void this.lines.push(`info ${message}`),
        warn: (message) => void this.lines.push(`warn ${message}`),
      },
      now: () => this.now,
    })
  }

  write({ cert, key }: { readonly cert?: string; readonly key?: string }): void {
    if (cert !== undefined) writeFileSync(this.files.certFile, cert)
    if (key !== undefined) writeFileSync(this.files.keyFile, key)
  }

  /** Lets minutes pass, in each of which the files are looked at. */
  async pass(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed += 1) {
      vi.advanceTimersByTime(minute)
      await this.renewed.looked()
    }
  }

  async renew(): Promise<void> {
    this.renewed.renew()
    await this.renewed.looked()
  }

  /** Takes the log lines since the last call. */
  said(): readonly string[] {
    return this.lines.splice(0)
  }

  [Symbol.dispose](): void {
    this.renewed.close()
    this.folder[Symbol.dispose]()
  }
}

const renewal = 'info The certificate was renewed: the one of TLS_CERT_FILE that is valid until 2039-01-31 is used.'

test('a new certificate is used within a minute, and when it is asked for', async () => {
  using kept = new Kept()
  for (const look of [() => kept.pass(1), () => kept.renew()]) {
    const next = makeCertificate('localhost', '200101', '390131')
    kept.write(next)
    expect(kept.said()).toEqual([])
    await look()
    expect(kept.said()).toEqual([renewal])
    expect(kept.used.at(-1)?.cert.toString()).toBe(next.cert)
    expect(kept.used.at(-1)?.key.toString()).toBe(next.key)
  }
  await kept.pass(10)
  expect(kept.said()).toEqual([])
  expect(kept.used).toHaveLength(2)
})

test('one that is the same is said only where it is asked for', async () => {
  using kept = new Kept()
  await kept.pass(1)
  expect(kept.said()).toEqual([])
  await kept.renew()
  expect(kept.said()).toEqual(['info The certificate is the same as before, valid until 2049-12-31.'])
  expect(kept.used).toEqual([])
})

test('while the files do not belong together, cannot be read or are none, the present one is kept, as is said once', async () => {
  using kept = new Kept()
  const next = makeCertificate('localhost', '200101', '390131')
  const problems: (readonly [() => void, string])[] = [
    [() => kept.write({ cert: next.cert }), `TLS_KEY_FILE is ${kept.files.keyFile}, which is not the key`],
    [() => kept.write({ cert: '' }), `TLS_CERT_FILE is ${kept.files.certFile}, which has not a certificate`],
    [() => rmSync(kept.files.certFile), `TLS_CERT_FILE is ${kept.files.certFile}, which cannot be read: ENOENT`],
  ]
  const keeping = 'warn The certificate, valid until 2049-12-31, is kept, as the new one cannot be used: '
  for (const [breakFiles, reason] of problems) {
    breakFiles()
    await kept.pass(3)
    expect(kept.said()).toEqual([expect.stringContaining(`${keeping}${reason}`)])
    await kept.renew()
    expect(kept.said()).toEqual([expect.stringContaining(`${keeping}${reason}`)])
  }
  expect(kept.used).toEqual([])
  kept.write(next)
  await kept.pass(1)
  expect(kept.said()).toEqual([renewal])
})

test('the time of a certificate is said once: not valid yet, about to expire, expired', async () => {
  using kept = new Kept(makeCertificate('localhost', '261121', '261220'))
  expect(kept.said()).toEqual(['warn The certificate in TLS_CERT_FILE is not valid before 2026-11-21.'])
  kept.now += 2 * day
  await kept.pass(1)
  expect(kept.said()).toEqual([])
  kept.now = Date.parse('2026-12-07')
  await kept.pass(2)
  expect(kept.said()).toEqual(['warn The certificate in TLS_CERT_FILE expires on 2026-12-20: renew it.'])
  kept.now = Date.parse('2026-12-21')
  await kept.pass(2)
  expect(kept.said()).toEqual(['warn The certificate in TLS_CERT_FILE expired on 2026-12-20: renew it.'])
  kept.write(makeCertificate('localhost', '200101', '390131'))
  await kept.pass(2)
  expect(kept.said()).toEqual([renewal])
})

test('the last fourteen days are those in which a certificate should be renewed', () => {
  const [cert, key, validFrom] = [Buffer.of(), Buffer.of(), 0]
  const certificate = { cert, key, validFrom, validTo: 20 * day }
  expect(findTimeProblem(certificate, 6 * day)).toBeUndefined()
  expect(findTimeProblem(certificate, 6 * day + 1)).toMatch(/expires on 1970-01-21/)
  expect(findTimeProblem(certificate, 20 * day)).toMatch(/expires/)
  expect(findTimeProblem(certificate, 20 * day + 1)).toMatch(/expired/)
})

test('while a disk does not answer, the thread goes on, and one read waits for it', async () => {
  using kept = new Kept()
  const next = makeCertificate('localhost', '200101', '390131')
  kept.write({ key: next.key })
  rmSync(kept.files.certFile)
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', kept.files.certFile])
  vi.advanceTimersByTime(10 * minute)
  // The one read that waits gets all of it.
  await appendFile(kept.files.certFile, next.cert)
  await kept.renewed.looked()
  expect(kept.used).toHaveLength(1)
})

test('what is asked for during a look is one more look', async () => {
  using kept = new Kept()
  const next = makeCertificate('localhost', '200101', '390131')
  rmSync(kept.files.certFile)
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', kept.files.certFile])
  vi.advanceTimersByTime(minute)
  const pipe = openSync(kept.files.certFile, 'w')
  rmSync(kept.files.certFile)
  kept.write(next)
  kept.renewed.renew()
  closeSync(pipe)
  await kept.renewed.looked()
  expect(kept.said()).toEqual([expect.stringContaining('has not a certificate'), renewal])
})

test('the files are not looked at any more after the end', async () => {
  using kept = new Kept()
  kept.renewed.close()
  expect(vi.getTimerCount()).toBe(0)
})
