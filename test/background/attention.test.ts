import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWatch, type WatchNeeds } from '../../src/background/attention.ts'
import { type Condition, openAttention } from '../../src/operations/attention.ts'
import { openBackupRecord } from '../../src/operations/backup-record.ts'
import { makeCertificate, writeCertificate } from '../support/portal/certificate.ts'
import { startMailServer } from '../support/portal/mail-server.ts'
import { startPortal, type TestPortal } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { scrape, seriesOf } from '../support/portal/scrape.ts'
import { until } from '../support/until.ts'

/** The watch of a portal, and its lines of the log. */
function watchOf({ server }: TestPortal, own: Partial<WatchNeeds> = {}) {
  const lines: string[] = []
  const log = {
    info: ({ condition }: { condition: Condition }, message: string) => lines.push(`${message}: ${condition}`),
    warn: ({ condition }: { condition: Condition }, message: string) => lines.push(`${message}: ${condition}`),
  }
  const findCertificateProblem = () => server.certificate()?.findProblem()
  const { publicUrl } = server
  const onFailure = (error: unknown) => {
    throw error
  }
  const of = { operators: [], makesBackups: true, publicUrl, findCertificateProblem, log, onFailure }
  const needs = { ...server.dependencies, ...of, ...own }
  return { look: openWatch(needs), lines }
}

/** Conditions that metrics and figures show: both the same. */
async function told(portal: TestPortal) {
  const gauges = Object.entries(seriesOf(await scrape(portal.server.app), 'cartulary_attention'))
  const { attention } = await (await portal.admin()).get('/portals/self/serverFigures')
  const names: string[] = attention.map(({ condition }: { condition: Condition }) => condition)
  expect(gauges.filter(([, value]) => value === 1).map(([labels]) => labels)).toEqual(
    names.map((condition) => `{condition="${condition}"}`),
  )
  expect(gauges).toHaveLength(8)
  return names
}

test('a backup that failed needs a person until one is made, and the log has a line for each', async () => {
  await using portal = await startPortal({ isReused: false })
  const { look, lines } = watchOf(portal)
  const { backups } = portal.server.dependencies
  await look()
  expect([await told(portal), lines]).toEqual([[], []])
  backups.failed()
  await look()
  await look()
  expect([await told(portal), lines]).toEqual([['backupFailed'], ['attention needed: backupFailed']])
  const since = portal.clock.now
  portal.clock.now += 60_000
  const { attention } = await (await portal.admin()).get('/portals/self/serverFigures')
  expect(attention).toEqual([{ condition: 'backupFailed', since }])
  backups.succeeded(portal.clock.now)
  await look()
  expect(await told(portal)).toEqual([])
  expect(lines.slice(1)).toEqual(['attention no longer needed: backupFailed'])
})

test('what a server has found is known after its restart: it begins no second time, and ends when it is mended', async () => {
  using folder = new Folder()
  await using portal = await startPortal({ isReused: false })
  const note = join(folder.path, 'portal.db.attention')
  const start = () => {
    const backups = openBackupRecord()
    return { ...watchOf(portal, { note, attention: openAttention(), backups }), backups }
  }
  const first = start()
  first.backups.failed(portal.clock.now)
  await first.look()
  expect(first.lines).toEqual(['attention needed: backupFailed'])
  const { look, lines, backups } = start()
  // The latest of before the failure, which a start finds in the folder.
  backups.succeeded(portal.clock.now - 1)
  await look()
  expect([lines, backups.failures()]).toEqual([[], 0])
  backups.succeeded(portal.clock.now + 1)
  await look()
  expect(lines).toEqual(['attention no longer needed: backupFailed'])
  const last = start()
  await last.look()
  expect(last.lines).toEqual([])
})

test('a disk below its floor needs a person', async () => {
  await using portal = await startPortal({ isReused: false })
  // No disk is free to the last byte of it while the database is there.
  const limits = { ...portal.server.dependencies.limits, freePercent: 100 }
  const { look, lines } = watchOf(portal, { limits })
  await look()
  expect([await told(portal), lines]).toEqual([['diskLow'], ['attention needed: diskLow']])
})

test('a database that is silent needs a person only after three looks in a row', async () => {
  const away = await startPortal({ isReused: false })
  await away[Symbol.asyncDispose]()
  await using portal = await startPortal({ isReused: false })
  const present = portal.server.dependencies.storage
  let storage: WatchNeeds['storage'] = away.server.dependencies.storage
  const read: typeof present.read = (work) => storage.read(work)
  const { look, lines } = watchOf(portal, { storage: { ...present, read } })
  await look()
  await look()
  storage = present
  await look()
  storage = away.server.dependencies.storage
  await look()
  await look()
  expect([await told(portal), lines]).toEqual([[], []])
  await look()
  expect([await told(portal), lines]).toEqual([['databaseUnreachable'], ['attention needed: databaseUnreachable']])
  storage = present
  await look()
  expect([await told(portal), lines.at(-1)]).toEqual([[], 'attention no longer needed: databaseUnreachable'])
})

test('a look that fails for another reason is reported, and is no silence of the database', async () => {
  await using portal = await startPortal({ isReused: false })
  const { storage } = portal.server.dependencies
  const fault = new TypeError('A fault of the program')
  const failures: unknown[] = []
  const { look } = watchOf(portal, {
    storage: { ...storage, read: () => Promise.reject(fault) },
    onFailure: (error) => failures.push(error),
  })
  for (let at = 0; at < 3; at += 1) await look()
  expect([failures, await told(portal)]).toEqual([[fault, fault, fault], []])
})

test('a certificate that ends within 14 days needs a person until it is renewed', async () => {
  const environment = writeCertificate('maps.example.com')
  await using portal = await startPortal({ environment: { ...environment, PORT: '0' }, isReused: false })
  await portal.server.listen()
  const { look } = watchOf(portal)
  await look()
  expect(await told(portal)).toEqual([])
  const certificate = portal.server.certificate()!
  const renew = async (end: string) => {
    const { cert, key } = makeCertificate('maps.example.com', '200101', end)
    writeFileSync(environment.TLS_CERT_FILE, cert)
    writeFileSync(environment.TLS_KEY_FILE, key)
    certificate.renew()
    await certificate.looked()
    await look()
  }
  const soon = new Date(portal.clock.now + 13 * 86_400_000).toISOString().slice(2, 10).replaceAll('-', '')
  await renew(soon)
  expect(await told(portal)).toEqual(['certificateEnds'])
  await renew('390131')
  expect(await told(portal)).toEqual([])
})

test('a secret of an app that was made for longer, and ends within 30 days, needs a person until it is renewed or switched off', async () => {
  await using portal = await startPortal({ isReused: false })
  const { look } = watchOf(portal)
  const admin = await portal.admin()
  const register = async (expiration: string) => {
    const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Robot', type: 'Application' })
    return (await admin.post('/oauth2/registerApp', { itemId, appType: 'server', expiration })).client_id
  }
  const tell = async () => {
    await look()
    return told(portal)
  }
  await register('30')
  const [renewed, other] = [await register('31'), await register('31')]
  expect(await tell()).toEqual([])
  portal.clock.now += 86_400_000
  const again = await portal.admin()
  await again.post(`/oauth2/apps/${other}/update`, { disabled: 'true' })
  expect(await tell()).toEqual(['secretEnds'])
  await again.post(`/oauth2/apps/${renewed}/renewSecret`)
  expect(await tell()).toEqual([])
})

test('mail that fails needs a person, and the operators are notified of the rest by mail', async () => {
  await using mails = await startMailServer({ onRcptTo: (_address, _session, done) => done(findRefusal()) })
  let isRefusing = true
  const findRefusal = () => (isRefusing ? Object.assign(new Error('no'), { responseCode: 451 }) : null)
  await using portal = await startPortal({ environment: mails.settings, isReused: false })
  const { mailer, backups } = portal.server.dependencies
  const { look, lines } = watchOf(portal, { operators: ['one@example.com', 'two@example.com'] })
  mailer!.send({ to: 'anna@example.com', subject: 'Maps', text: '' })
  await mailer!.end()
  await look()
  expect([await told(portal), lines]).toEqual([['mailFailed'], ['attention needed: mailFailed']])
  isRefusing = false
  backups.failed()
  await look()
  await mails.mail(2)
  expect(mails.received.map(({ to }) => to)).toEqual([['one@example.com'], ['two@example.com']])
  const { headers, text } = mails.received[0]!
  expect(headers.get('subject')).toBe('maps.example.com needs a person: backupFailed')
  expect(text).toContain('The last backup of BACKUP_DIR failed. What to do is in docs/monitor.md')
  backups.succeeded(portal.clock.now)
  await until('mail is settled', () => !mailer!.hasFailed())
  await look()
  expect((await mails.mail(3)).headers.get('subject')).toBe('maps.example.com no longer needs a person: backupFailed')
})

test('the program looks by itself, and its log has the line that docs/monitor.md names', async () => {
  using folder = new Folder()
  const { cert, key } = makeCertificate('localhost')
  const authority = join(folder.path, 'authority.pem')
  writeFileSync(authority, cert)
  writeFileSync(join(folder.path, 'password'), 'a password\n')
  await using mails = await startMailServer({
    secure: true,
    cert,
    key,
    authOptional: false,
    onAuth: ({ password }, _session, done) =>
      done(password === 'a password' ? null : new Error('no'), { user: 'maps' }),
  })
  const environment = {
    MIN_FREE_DISK_PERCENT: '100',
    NODE_EXTRA_CA_CERTS: authority,
    MAIL_SERVER: `smtps://maps@localhost:${mails.port}`,
    MAIL_PASSWORD_FILE: join(folder.path, 'password'),
    MAIL_FROM: 'maps@example.com',
    MAIL_OPERATORS: 'operator@example.com',
  }
  await using server = await serve({ folder: folder.path, environment })
  await server.wrote(/mail sent/)
  expect(await mails.mail(1)).toMatchObject({ to: ['operator@example.com'], isSecure: true })
  const lines = server.out.split('\n').filter((line) => line.includes('attention needed'))
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 'warn', condition: 'diskLow', message: 'attention needed' }),
  ])
})

test('a job without a step for ten minutes needs a person until it goes on, and the metrics say its age', async () => {
  await using portal = await startPortal({ isReused: false })
  const { look } = watchOf(portal)
  const admin = await portal.admin()
  const begun = { items: '0'.repeat(32), change: '{"delete":true}' }
  const { jobId } = await admin.post('/content/changeItems', begun)
  portal.clock.now += 600_000
  await look()
  expect(await told(portal)).toEqual([])
  portal.clock.now += 1
  await look()
  expect(await told(portal)).toEqual(['jobStalled'])
  const metrics = await scrape(portal.server.app)
  expect(seriesOf(metrics, 'cartulary_jobs')).toEqual({ '{state="running"}': 1, '{state="waiting"}': 0 })
  expect(metrics.series.get('cartulary_job_oldest_step_age_seconds')).toBe(600.001)
  await admin.post(`/portals/self/jobs/${jobId}/cancel`)
  await look()
  expect(await told(portal)).toEqual([])
})
