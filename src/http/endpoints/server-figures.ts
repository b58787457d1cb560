import { countedLimits } from '../../limits.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import { version } from '../../version.ts'
import { exampleIds, exampleTime } from '../examples/examples.ts'
import { serverFiguresShape } from '../shapes/directory/server-figures.ts'
import { type Endpoint, endpointsOf } from './endpoint.ts'

const endpoint = endpointsOf('directory')

const { portalId } = exampleIds
const minute = 60_000
const noRequests = { requests: 0, refused: 0, failed: 0 }

/** Figures for a page about the system. */
export const serverFigureRows: readonly Endpoint[] = [
  endpoint({
    id: 'readServerFigures',
    title: 'Server figures',
    goals: ['See load and state of the server'],
    path: '/portals/:portalId/serverFigures',
    who: 'Administrators of the organization that was created first',
    summary:
      'Version, database, queues, limits that were reached, and the requests of the last hour, of the server that answers.',
    source: 'chosen',
    extension: 'serverFigures',
    chosen: [
      'Of several servers on one database, each answers with its own requests, queues and limits: which one answers, the proxy decides. Figures of all of them are in the metrics.',
      'Requests are counted in memory, for 60 minutes, and gone when the server ends; probes of its health and metrics are not counted.',
    ],
    answers: { json: serverFiguresShape },
    example: {
      ids: { portalId },
      varies: true,
      answer: {
        version,
        node: '24.14.0',
        started: exampleTime,
        uptime: 3_600_000,
        memory: 131_072_000,
        servers: 1,
        database: {
          engine: 'sqlite',
          description: 'SQLite at ./data/cartulary.db',
          bytes: 4_194_304,
          freeBytes: 53_687_091_200,
          migrations: 1,
          lastMigration: '100-foundation',
          organizations: 1,
          schemaVersions: 2,
          auditEntries: 24,
        },
        queues: { waiting: 0, openConnections: 3, idleConnections: 3, retries: 0 },
        attention: [{ condition: 'backupFailed', since: exampleTime }],
        limitsReached: [{ limit: 'signInFailures', times: 1 }],
        lastHour: {
          minutes: Array.from({ length: 60 }, (_, position) => ({
            at: exampleTime + (position - 59) * minute,
            ...(position === 59 ? { requests: 12, refused: 1, failed: 0 } : noRequests),
          })),
          kinds: [
            { kind: 'read', requests: 8, refused: 1, failed: 0, p50: 1.6, p99: 6.3 },
            { kind: 'search', requests: 3, refused: 0, failed: 0, p50: 3.2, p99: 16 },
            { kind: 'write', requests: 1, refused: 0, failed: 0, p50: 2.5, p99: 2.5 },
            { kind: 'other', ...noRequests, p50: null, p99: null },
          ],
        },
      },
    },
    async answer({ ids, dependencies, now, run }) {
      const { organizations, schemaVersions, auditEntries } = await run({ portalId: ids.portalId })
      const { storage, database, recentRequests } = dependencies
      const { connections, waiting, retries } = storage.figures()
      const kinds = recentRequests.listKinds(now)
      return {
        json: {
          version,
          node: process.versions.node,
          started: Math.round(performance.timeOrigin),
          uptime: Math.round(performance.now()),
          memory: process.memoryUsage.rss(),
          servers: database.engine === 'sqlite' ? 1 : null,
          database: {
            engine: database.engine,
            description: storage.description,
            ...(await measureOrNull(storage)),
            migrations: database.migrations.length,
            lastMigration: database.migrations.at(-1)!,
            organizations,
            schemaVersions,
            auditEntries,
          },
          queues: { waiting, openConnections: connections.open, idleConnections: connections.idle, retries },
          attention: dependencies.attention.list(),
          limitsReached: listReached(dependencies),
          lastHour: {
            minutes: recentRequests.listMinutes(now),
            kinds: kinds.map((one) => ({ ...one, p50: one.p50 ?? null, p99: one.p99 ?? null })),
          },
        },
      }
    },
  }),
]

function listReached({ limitCounts }: Dependencies) {
  return countedLimits.map((limit) => ({ limit, times: limitCounts.of(limit) })).filter(({ times }) => times > 0)
}

/** Size of the database and free space, in bytes; null if they cannot be measured, as the other figures are still valid. */
async function measureOrNull(storage: Dependencies['storage']) {
  const space = await storage.measure().catch(() => undefined)
  return { bytes: space?.used ?? null, freeBytes: space?.free ?? null }
}
