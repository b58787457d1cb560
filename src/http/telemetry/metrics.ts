import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { invitationStates } from '../../collaborations/invitation.ts'
import { resourceNotFound } from '../../errors.ts'
import { countedLimits, type LimitCounts } from '../../limits.ts'
import type { Attention } from '../../operations/attention.ts'
import type { BackupRecord } from '../../operations/backup-record.ts'
import type { Readers, Storage } from '../../storage/storage.ts'
import { formatEnvelope } from '../answer.ts'
import { createTransport, type TransportSettings } from '../transport/transport.ts'
import { showProcess, watchEventLoop } from './process-metrics.ts'
import {
  type FindCertificate,
  measureSpace,
  showAttention,
  showBackups,
  showCertificate,
  showSpace,
} from './space-metrics.ts'
import { durationBuckets, measureStorage, showStorageFigures } from './storage-metrics.ts'
import { countTimeout, throttled, withTimeout } from './throttle.ts'

/** The metrics of one server, listed in docs/metrics.md. */
export interface Metrics<Command> {
  /** The given storage, measured. */
  readonly storage: Storage<Command>
  /** Counts every request that the listener answers from now on. */
  watch(app: FastifyInstance): void
  /** Adds `/metrics` below the context path, in the text format of Prometheus. */
  serve(app: FastifyInstance, contextPath: string): void
  /** Shows until when the certificate that is served is valid. */
  showCertificate(findCertificate: FindCertificate): void
  close(): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the endpoint that the route belongs to. */
    readonly operation?: string
    /** Whether the endpoint compares a password, so that failures may be guesses. */
    readonly checksPassword?: true
  }
}

/** Label of requests that reach no endpoint: their paths would have unbounded cardinality. */
const noOperation = 'none'

/** Parts of a server that its metrics show. */
interface Shown<Command> {
  readonly storage: Storage<Command>
  readonly limitCounts: LimitCounts
  readonly backups: BackupRecord
  readonly attention: Attention
  /** Present time, in epoch milliseconds. */
  now?(): number
}

/** Opens the metrics of a server with this storage. `clock` is monotonic, in milliseconds. */
export function openMetrics<Command>(
  { storage, limitCounts, backups, attention, now = Date.now }: Shown<Command>,
  clock?: () => number,
): Metrics<Command> {
  const registry = new Registry()
  showProcess(registry)
  const measured = measureStorage(storage, registry)
  showStorageFigures(storage, registry)
  showSpace(measureSpace(storage, clock), registry)
  const count = countDatabase(storage, clock)
  showJobs(count, now, registry)
  showInvitations(count, registry)
  showGrowth(count, registry)
  showLargestOwners(count, registry)
  showLimits(limitCounts, registry)
  showBackups(backups, registry)
  showAttention(attention, registry)
  const countRequest = requestCounter(registry)
  const countRefusedSignIn = refusedSignInCounter(registry)
  const close = watchEventLoop(registry)
  return {
    storage: measured,
    watch(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const { operation = noOperation, checksPassword } = request.routeOptions.config
        const outcome = reply.outcome || reply.statusCode
        countRequest(operation, outcome, reply.elapsedTime / 1000)
        if (checksPassword) countRefusedSignIn(outcome)
        done()
      })
    },
    serve(app, contextPath) {
      app.get(`${contextPath}/metrics`, { config: { isProbe: true } }, async (_request, reply) => {
        reply.header('content-type', registry.contentType)
        return registry.metrics()
      })
    },
    showCertificate: (findCertificate) => showCertificate(findCertificate, registry),
    close,
  }
}

function requestCounter(registry: Registry): (operation: string, outcome: number, seconds: number) => void {
  const requests = new Counter({
    name: 'cartulary_requests_total',
    help: 'Answered requests, by operation and outcome: 200, or the code of the error in the body.',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'cartulary_request_duration_seconds',
    help: 'Time from the begin of a request to the end of its answer, by operation; those of one connection begin one after the other.',
    labelNames: ['operation'],
    buckets: durationBuckets,
    registers: [registry],
  })
  /** Looked up once: finding a series by its labels takes longer than counting. */
  const durationOf = new Map<string, Histogram.Internal<'operation'>>()
  const countOf = new Map<string, Counter.Internal>()
  return (operation, outcome, seconds) => {
    const answer = `${operation} ${outcome}`
    const count = countOf.get(answer) ?? requests.labels(operation, String(outcome))
    const duration = durationOf.get(operation) ?? durations.labels(operation)
    countOf.set(answer, count)
    durationOf.set(operation, duration)
    count.inc()
    duration.observe(seconds)
  }
}

const signInOutcomes = [400, 429, 503] as const

function refusedSignInCounter(registry: Registry): (outcome: number) => void {
  const failures = new Counter({
    name: 'cartulary_sign_in_failures_total',
    help: 'Sign-ins and changes of passwords that were refused, by outcome: 400 wrong, 429 limited, 503 too busy to compare.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of signInOutcomes) failures.inc({ outcome }, 0)
  return (code) => {
    const outcome = signInOutcomes.find((known) => known === code)
    if (outcome !== undefined) failures.inc({ outcome })
  }
}

function showLimits(counts: LimitCounts, registry: Registry): void {
  new Counter({
    name: 'cartulary_limits_reached_total',
    help: 'Times that a limit was reached, by limit (docs/settings.md).',
    labelNames: ['limit'],
    registers: [registry],
    collect() {
      this.reset()
      for (const limit of countedLimits) this.inc({ limit }, counts.of(limit))
    },
  })
}

const countInterval = 10_000

type DatabaseCounts = Awaited<ReturnType<typeof readCounts>>

/** Reads counters and indexes, never documents or entries: the database may be large. */
async function readCounts({ collaborations, categories, items, audit, jobs }: Readers) {
  const versions = await categories.countVersions()
  const entries = await audit.estimateEntries()
  const [user] = await items.listLargestOwners('user', 1)
  const [portal] = await items.listLargestOwners('portal', 1)
  const largest = { user: user?.bytes ?? 0, organization: portal?.bytes ?? 0 }
  const invitations = await collaborations.countInvitationsByState()
  return { invitations, versions, entries, largest, jobs: await jobs.countJobs() }
}

/** Counts at most once in ten seconds; undefined where the database does not answer. */
function countDatabase(storage: Storage<never>, clock?: () => number): () => Promise<DatabaseCounts | undefined> {
  const count = async () => {
    const counting = storage.read(readCounts, performance.now() + countTimeout)
    return withTimeout(countTimeout, counting, undefined).catch(() => undefined)
  }
  return throttled(countInterval, count, clock)
}

type CountDatabase = ReturnType<typeof countDatabase>

function showGrowth(count: CountDatabase, registry: Registry): void {
  const show = (name: string, help: string, figure: 'versions' | 'entries') =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const counts = await count()
        if (counts) this.set(counts[figure])
        else this.remove()
      },
    })
  show('cartulary_schema_versions', 'Kept versions of all category schemas in the database.', 'versions')
  show('cartulary_audit_entries', 'Audit entries in the database, by their first and last number.', 'entries')
}

/** Metric of the largest owners, without their ids: anyone may read the metrics. */
function showLargestOwners(count: CountDatabase, registry: Registry): void {
  new Gauge({
    name: 'cartulary_largest_item_bytes',
    help: 'Bytes that count for the user, and for the organization, that has most: items, versions and drafts of category schemas, jobs; as housekeeping counted them. `cartulary doctor` has their ids.',
    labelNames: ['owner'],
    registers: [registry],
    async collect() {
      const counts = await count()
      this.reset()
      if (counts) for (const owner of ['user', 'organization'] as const) this.set({ owner }, counts.largest[owner])
    },
  })
}

function showJobs(count: CountDatabase, now: () => number, registry: Registry): void {
  new Gauge({
    name: 'cartulary_jobs',
    help: 'Jobs of all organizations in the database that have not ended, by state: running or waiting.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await count()
      this.reset()
      if (counts) for (const state of ['running', 'waiting'] as const) this.set({ state }, counts.jobs[state])
    },
  })
  new Gauge({
    name: 'cartulary_job_oldest_step_age_seconds',
    help: 'Time since the last step of the running job that has waited longest for its next one; 0 where none runs.',
    registers: [registry],
    async collect() {
      const counts = await count()
      if (counts) this.set(Math.max(0, now() - (counts.jobs.oldestStep ?? now())) / 1000)
      else this.remove()
    },
  })
}

function showInvitations(count: CountDatabase, registry: Registry): void {
  new Gauge({
    name: 'cartulary_invitations',
    help: 'Invitations of all organizations in the database, by state; absent where the database does not answer.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await count()
      this.reset()
      if (counts) for (const state of invitationStates) this.set({ state }, counts.invitations.get(state) ?? 0)
    },
  })
}

/** A server with nothing but `/metrics`, for a network that clients do not reach. */
export async function createMetricsHttp(
  metrics: Pick<Metrics<never>, 'serve'>,
  settings: TransportSettings,
  dependencies: Parameters<typeof createTransport>[1],
): Promise<FastifyInstance> {
  const plain = { ...settings, tls: undefined, publicUrl: undefined, allowedOrigins: [] }
  const app = await createTransport(plain, dependencies)
  metrics.serve(app, '')
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(formatEnvelope(resourceNotFound())))
  return app
}
