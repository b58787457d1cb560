import { statSync } from 'node:fs'
import Fastify from 'fastify'
import { register as globalRegistry, Registry } from 'prom-client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openMetrics } from '../../../src/http/telemetry/metrics.ts'
import { measureStorage } from '../../../src/http/telemetry/storage-metrics.ts'
import { countLimits } from '../../../src/limits.ts'
import { openAttention } from '../../../src/operations/attention.ts'
import { openBackupRecord } from '../../../src/operations/backup-record.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import {
  addCollaborations,
  addPeople,
  anAuditEntry,
  anId,
  anInvitation,
  aStep,
} from '../../storage/contract/records.ts'
import { temporaryFile } from '../../storage/sqlite/temporary-file.ts'
import { openWorkFile, type WorkStorage } from '../../storage/work-storage.ts'
import { verboseConnection } from '../../support/databases/verbose-connection.ts'
import { measureMemory } from '../../support/faults/memory.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { readScrape, scrape, seriesOf } from '../../support/portal/scrape.ts'

/** Nothing but metrics over this storage, with a clock that tests set. */
function serveMetrics(storage: WorkStorage) {
  const clock = { now: 0 }
  const metrics = openMetrics(
    { storage, limitCounts: countLimits(), backups: openBackupRecord(), attention: openAttention() },
    () => clock.now,
  )
  const app = Fastify()
  metrics.watch(app)
  metrics.serve(app, '')
  onTestFinished(async () => {
    metrics.close()
    await app.close()
  })
  return { metrics, app, clock }
}

/** Three open invitations and an accepted one, of two organizations, and how often they are counted. */
async function openWithInvitations() {
  const counts: string[] = []
  const connect = verboseConnection((statement) => {
    if (statement.includes('from "invitations" group by "state"')) counts.push(statement)
  })
  const storage = await openWorkFile(temporaryFile(), connect)
  onTestFinished(() => storage.close())
  await addCollaborations(storage)
  await storage.write(async ({ collaborations }) => {
    for (const number of [1, 2]) {
      await collaborations.addInvitation(anInvitation({ invitationId: anId(number) }), aStep())
    }
    const other = { collaborationId: anId(201), hostPortalId: 'PortalOfSeas0002' }
    await collaborations.addInvitation(anInvitation({ invitationId: anId(3), ...other }), aStep())
    await collaborations.addInvitation(anInvitation({ invitationId: anId(4), state: 'host_accepted' }), aStep())
  })
  return { storage, counts }
}

const fourInvitations = { '{state="host_created"}': 3, '{state="host_accepted"}': 1, '{state="host_invalidated"}': 0 }

describe('requests', () => {
  test('are counted by operation and by the outcome in the body, and measured from half a millisecond to ten seconds', async () => {
    await using portal = await startPortal({ isReused: false })
    const before = await scrape(portal.server.app)
    expect(seriesOf(before, 'cartulary_requests_total')).toEqual({})
    const begun = performance.now()
    const admin = await portal.admin()
    await admin.get('/community/self')
    await admin.post('/community/self')
    await portal.anonymous.get('/community/self')
    await portal.anonymous.get('/community/self', { token: 'nobody' })
    await portal.anonymous.post('/generateToken', { username: 'admin', password: 'wrong' })
    await admin.get(`/community/groups/${anId(1)}`)
    const after = await scrape(portal.server.app)
    expect(seriesOf(after, 'cartulary_requests_total')).toEqual({
      '{operation="generateToken",outcome="200"}': 1,
      '{operation="generateToken",outcome="400"}': 1,
      '{operation="readSelf",outcome="200"}': 2,
      '{operation="readSelf",outcome="499"}': 1,
      '{operation="readSelf",outcome="498"}': 1,
      '{operation="readGroup",outcome="400"}': 1,
      '{operation="none",outcome="200"}': 1,
    })
    expect(seriesOf(after, 'cartulary_request_duration_seconds_count')).toEqual({
      '{operation="generateToken"}': 2,
      '{operation="readSelf"}': 4,
      '{operation="readGroup"}': 1,
      '{operation="none"}': 1,
    })
    const seconds = (performance.now() - begun) / 1000
    const buckets = Object.entries(seriesOf(after, 'cartulary_request_duration_seconds_bucket'))
    const edges = buckets.flatMap(([labels, count]) => {
      const edge = /le="([^"]+)",operation="generateToken"/.exec(labels)?.[1]
      return edge === undefined ? [] : [{ edge, count }]
    })
    expect(edges[0]!.edge).toBe('0.0005')
    expect(edges.slice(-2).map(({ edge }) => edge)).toEqual(['10', '+Inf'])
    expect(edges.at(-1)!.count).toBe(2)
    const sum = after.series.get('cartulary_request_duration_seconds_sum{operation="generateToken"}')!
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThanOrEqual(seconds)
  })

  test('that reach no row have one label, whatever words, methods and ids they come with', async () => {
    await using portal = await startPortal({ isReused: false })
    const { app } = portal.server
    for (let number = 0; number < 10; number += 1) {
      await app.inject(`/unheard${number}`)
      await portal.anonymous.get(`/unheard${number}`)
      await portal.anonymous.get(`/community/users/unheard${number}`)
    }
    await portal.inject({ method: 'DELETE', url: '/community/self' })
    await app.inject({ method: 'OPTIONS', url: '/unheard', headers: { origin: 'https://unheard.example.com' } })
    const scraped = await scrape(app)
    expect(scraped.text).not.toContain('unheard')
    expect(seriesOf(scraped, 'cartulary_requests_total')).toEqual({
      '{operation="none",outcome="404"}': 20,
      '{operation="none",outcome="204"}': 1,
      '{operation="none",outcome="405"}': 1,
      '{operation="readUser",outcome="499"}': 10,
    })
  })
})

test('limits are counted each time that a client reaches them', async () => {
  await using portal = await startPortal({ environment: { RATE_LIMIT_SIGN_IN_FAILURES: '1' } })
  const count = async () =>
    seriesOf(await scrape(portal.server.app), 'cartulary_limits_reached_total')['{limit="signInFailures"}']
  expect(await count()).toBe(0)
  for (const reached of [0, 1, 2]) {
    await portal.anonymous.post('/generateToken', { username: 'admin', password: 'wrong' })
    expect(await count()).toBe(reached)
  }
})

describe('the storage', () => {
  test('is measured by kind of work and outcome, and counted where it is unavailable', async () => {
    await using portal = await startPortal({ isReused: false })
    const admin = await portal.admin()
    const durations = async () => seriesOf(await scrape(portal.server.app), 'cartulary_storage_duration_seconds_count')
    // The first write of a token looks up its user, to count what the user has in flight.
    await admin.createGroup('Seas')
    const start = await durations()
    await admin.get('/community/self')
    await admin.get(`/community/groups/${anId(1)}`)
    await admin.createGroup('Maps')
    const later = await durations()
    const grown = Object.entries(later).map(([labels, count]) => [labels, count - (start[labels] ?? 0)])
    expect(Object.fromEntries(grown)).toEqual({
      '{work="read",outcome="done"}': 1,
      '{work="read",outcome="refused"}': 1,
      '{work="write",outcome="done"}': 1,
    })
    expect((await scrape(portal.server.app)).series.get('cartulary_storage_unavailable_total')).toBe(0)
    await portal.server.dependencies.storage.close()
    expect((await admin.get('/community/self')).error.code).toBe(503)
    expect((await admin.post('/community/createGroup', { title: 'Maps' })).error.code).toBe(503)
    expect((await portal.server.app.inject('/health/ready')).statusCode).toBe(503)
    expect(await durations()).toMatchObject({
      '{work="read",outcome="unavailable"}': 1,
      '{work="write",outcome="unavailable"}': 1,
    })
    expect((await scrape(portal.server.app)).series.get('cartulary_storage_unavailable_total')).toBe(3)
  })

  test('that fails for a bug has an outcome of its own, and the error is the same', async () => {
    const storage = await openWorkFile()
    onTestFinished(() => storage.close())
    const registry = new Registry()
    const measured = measureStorage(storage, registry)
    await measured.write(addPeople)
    await expect(measured.write(addPeople)).rejects.toThrow('UNIQUE')
    const scraped = readScrape(await registry.metrics())
    expect(seriesOf(scraped, 'cartulary_storage_duration_seconds_count')).toEqual({
      '{work="write",outcome="done"}': 1,
      '{work="write",outcome="failed"}': 1,
    })
  })

  test('that is measured keeps its time limits, its figures and its description', async () => {
    const storage = await openWorkFile()
    const measured = measureStorage(storage, new Registry())
    onTestFinished(() => measured.close())
    const work = async () => 'done'
    expect(await measured.read(work, performance.now() + 60_000)).toBe('done')
    expect(await measured.write(work, performance.now() + 60_000)).toBe('done')
    await expect(measured.write(work, performance.now() - 1)).rejects.toBeInstanceOf(StorageUnavailable)
    const limits: (number | undefined)[] = []
    const watched: Pick<WorkStorage, 'read'> = {
      read(asked, until) {
        limits.push(until)
        return storage.read(asked)
      },
    }
    const passing = measureStorage({ ...storage, ...watched }, new Registry())
    await passing.read(work, 123)
    await passing.read(work)
    expect(limits).toEqual([123, undefined])
    expect(measured.figures()).toEqual(storage.figures())
    expect(measured.description).toBe(storage.description)
    await expect(measured.ping()).resolves.toBeUndefined()
    await measured.close()
    await expect(measured.ping()).rejects.toBeInstanceOf(StorageUnavailable)
  })

  test('shows its connections, its queue, its retries and its look-ups at each scrape', async () => {
    const storage = await openWorkFile()
    onTestFinished(() => storage.close())
    const busy = Promise.withResolvers<void>()
    const first = storage.write(() => busy.promise)
    const others = [1, 2, 3].map(() => storage.write(async () => undefined))
    // The first has begun when reads have come back: the line is as long as it gets.
    await storage.ping()
    const { app } = serveMetrics({
      ...storage,
      figures: () => ({ ...storage.figures(), retries: 7, callerCache: { hits: 5, misses: 2 } }),
    })
    for (let round = 0; round < 2; round += 1) {
      const scraped = await scrape(app)
      expect(seriesOf(scraped, 'cartulary_storage_connections')).toEqual({ '{state="busy"}': 1, '{state="idle"}': 1 })
      expect(scraped.series.get('cartulary_storage_waiting')).toBe(3)
      expect(scraped.series.get('cartulary_storage_retries_total')).toBe(7)
      expect(seriesOf(scraped, 'cartulary_caller_lookups_total')).toEqual({ '{result="hit"}': 5, '{result="miss"}': 2 })
    }
    busy.resolve()
    await Promise.all([first, ...others])
    const scraped = await scrape(app)
    expect(seriesOf(scraped, 'cartulary_storage_connections')).toEqual({ '{state="busy"}': 0, '{state="idle"}': 2 })
    expect(scraped.series.get('cartulary_storage_waiting')).toBe(0)
  })
})

describe('invitations', () => {
  test('are counted by state over all organizations, once in ten seconds however often it is scraped', async () => {
    const { storage, counts } = await openWithInvitations()
    const { app, clock } = serveMetrics(storage)
    const scraped = await Promise.all(Array.from({ length: 50 }, () => scrape(app)))
    for (const one of scraped) expect(seriesOf(one, 'cartulary_invitations')).toEqual(fourInvitations)
    expect(counts).toHaveLength(1)
    const invitation = anInvitation({ invitationId: anId(5), state: 'host_invalidated' })
    await storage.write(({ collaborations }) => collaborations.addInvitation(invitation, aStep()))
    clock.now = 9_999
    expect(seriesOf(await scrape(app), 'cartulary_invitations')).toEqual(fourInvitations)
    expect(counts).toHaveLength(1)
    clock.now = 10_000
    const fresh = { ...fourInvitations, '{state="host_invalidated"}': 1 }
    expect(seriesOf(await scrape(app), 'cartulary_invitations')).toEqual(fresh)
    expect(counts).toHaveLength(2)
  })

  test('are absent where the database hangs for a second, and the rest is served', async () => {
    const { storage } = await openWithInvitations()
    let reads = 0
    const { app, clock } = serveMetrics({
      ...storage,
      read() {
        reads += 1
        return new Promise(() => {})
      },
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let isScraped = false
    const scraping = scrape(app).finally(() => {
      isScraped = true
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(isScraped).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    const scraped = await scraping
    expect(scraped.text).not.toContain('cartulary_invitations{')
    expect(scraped.series.get('cartulary_storage_waiting')).toBe(0)
    // Nor is it asked again immediately.
    clock.now = 9_999
    await scrape(app)
    expect(reads).toBe(1)
  })
})

describe('growth', () => {
  const growthOf = ({ series }: { readonly series: ReadonlyMap<string, number> }) =>
    ['schema_versions', 'audit_entries'].map((name) => series.get(`cartulary_${name}`))

  test('is that of the whole database, as it was counted, and absent where the database fails, as invitations are', async () => {
    const { storage } = await openWithInvitations()
    const { app, clock } = serveMetrics(storage)
    expect(growthOf(await scrape(app))).toEqual([0, 0])
    await storage.write(async ({ categories, audit }) => {
      for (const portalId of ['PortalOfMaps0001', 'PortalOfMaps0001', 'PortalOfSeas0002']) {
        await categories.putDocument({ kind: 'portal', portalId }, 'zwölf', 'anna', 1)
      }
      for (let times = 0; times < 5; times += 1) await audit.add(anAuditEntry())
    })
    clock.now = 9_999
    expect(growthOf(await scrape(app))).toEqual([0, 0])
    clock.now = 10_000
    expect(growthOf(await scrape(app))).toEqual([3, 5])
    await storage.close()
    clock.now = 20_000
    const scraped = await scrape(app)
    expect(growthOf(scraped)).toEqual([undefined, undefined])
    expect(scraped.text).not.toContain('cartulary_invitations{')
    expect(scraped.series.get('cartulary_storage_waiting')).toBe(0)
  })
})

describe('the room of the database', () => {
  const roomOf = ({ series }: { readonly series: ReadonlyMap<string, number> }) =>
    ['database_bytes', 'disk_free_bytes'].map((name) => series.get(`cartulary_${name}`))

  test('is that of its files and their disk, measured once in ten seconds, and absent where it cannot be', async () => {
    const file = temporaryFile()
    const storage = await openWorkFile(file)
    onTestFinished(() => storage.close())
    let measured = 0
    const { app, clock } = serveMetrics({
      ...storage,
      measure() {
        measured += 1
        return clock.now < 20_000 ? storage.measure() : Promise.reject(new StorageUnavailable('It is gone.'))
      },
    })
    const [used, free] = roomOf(await scrape(app))
    const size = (end: string) => statSync(`${file}${end}`).size
    expect(used).toBe(size('') + size('-wal') + size('-shm'))
    expect(free).toBeGreaterThan(0)
    clock.now = 9_999
    await scrape(app)
    expect(measured).toBe(1)
    clock.now = 10_000
    expect(roomOf(await scrape(app))[0]).toBe(used)
    expect(measured).toBe(2)
    clock.now = 20_000
    expect(roomOf(await scrape(app))).toEqual([undefined, undefined])
  })
})

test('refused sign-ins and changes of passwords are counted by outcome, those of nothing else', async () => {
  await using portal = await startPortal({ environment: { RATE_LIMIT_SIGN_IN_FAILURES: '2' }, isReused: false })
  const failures = async () => seriesOf(await scrape(portal.server.app), 'cartulary_sign_in_failures_total')
  expect(await failures()).toEqual({ '{outcome="400"}': 0, '{outcome="429"}': 0, '{outcome="503"}': 0 })
  const admin = await portal.admin()
  await admin.get(`/community/groups/${anId(1)}`)
  await portal.anonymous.post('/generateToken', { username: 'admin', password: 'wrong' })
  await admin.post('/community/users/admin/changePassword', { oldPassword: 'wrong', newPassword: 'long enough' })
  await portal.anonymous.post('/generateToken', { username: 'admin', password: 'wrong' })
  expect(await failures()).toEqual({ '{outcome="400"}': 2, '{outcome="429"}': 1, '{outcome="503"}': 0 })
})

test('each server has metrics of its own, none are global, and a closed server leaves nothing behind that they hold', async () => {
  await using other = await startPortal({ isReused: false })
  async function startAndClose(): Promise<WeakRef<object>> {
    await using portal = await startPortal({ isReused: false })
    await portal.anonymous.get('/')
    expect(seriesOf(await scrape(portal.server.app), 'cartulary_requests_total')).toEqual({
      '{operation="readRoot",outcome="200"}': 1,
    })
    expect(seriesOf(await scrape(other.server.app), 'cartulary_requests_total')).toEqual({})
    expect(globalRegistry.getMetricsAsArray()).toEqual([])
    return new WeakRef(portal.server.dependencies.storage)
  }
  const storage = await startAndClose()
  for (let round = 0; round < 10 && storage.deref() !== undefined; round += 1) await measureMemory()
  expect(storage.deref()).toBeUndefined()
})
