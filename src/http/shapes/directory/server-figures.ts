import { countedLimits } from '../../../limits.ts'
import { conditions } from '../../../operations/attention.ts'
import { requestKinds } from '../../../operations/recent-requests.ts'
import { choice, durationOf, integer, list, nullable, number, object, text, time } from '../shape.ts'

const counts = {
  requests: integer('Answered requests.'),
  refused: integer('Of them, answered with an error of 4xx.'),
  failed: integer('Of them, answered with an error of 5xx.'),
}
const quantile = (part: string) =>
  nullable(
    number(`Milliseconds within which ${part} were answered, rounded up by at most a quarter; null without any.`),
  )

/** Figures of the server that answers. */
export const serverFiguresShape = object({
  version: text('Of Cartulary.'),
  node: text('Version of Node.'),
  started: time('When the process started.'),
  uptime: durationOf('Since then.'),
  memory: integer('Resident memory of the process, in bytes.'),
  servers: nullable(integer('How many servers use the database; null where it may be any number.')),
  database: object({
    engine: choice(['sqlite', 'postgres']),
    description: text('Engine and place, without secrets.'),
    bytes: nullable(integer('Room that it takes, with logs and indexes; null where it cannot be measured now.')),
    freeBytes: nullable(integer('Room that is left on its disk; null where the disk is not that of the server.')),
    migrations: integer('Number of changes of its tables that were applied.'),
    lastMigration: text('Name of the last of them.'),
    organizations: integer('Number of organizations.'),
    schemaVersions: integer('Kept versions of all category schemas, as housekeeping counted them.'),
    auditEntries: integer('Entries of the log, by their first and last number.'),
  }),
  queues: object({
    waiting: integer('Reads, searches and writes that are queued or wait for a connection.'),
    openConnections: integer('Connections to the database.'),
    idleConnections: integer('Of them, without work.'),
    retries: integer('Writes that were retried after a conflict, since the start.'),
  }),
  attention: list(
    object({ condition: choice(conditions), since: time('When the server found it.') }),
    'What needs a person now, of this server; docs/monitor.md says what to do.',
  ),
  limitsReached: list(
    object({ limit: choice(countedLimits), times: integer('Since the start.') }),
    'Limits that were reached since the start, as docs/settings.md names them.',
  ),
  lastHour: object({
    minutes: list(
      object({ at: time('When the minute began.'), ...counts }),
      'The last 60 minutes, the oldest first; of the present one, what has been so far.',
    ),
    kinds: list(
      object({
        kind: choice(
          requestKinds,
          'read; search: looks at any number of rows; write: whatever leaves a trace; other: what reaches no operation.',
        ),
        ...counts,
        p50: quantile('half of them'),
        p99: quantile('99 of 100'),
      }),
      'All of them, by kind.',
    ),
  }),
})
