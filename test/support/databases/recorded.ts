import Database from 'better-sqlite3'
import type { AuditEntry } from '../../../src/call/audit-entry.ts'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import { toEntry } from '../../../src/storage/stores/audit/audit-rows.ts'
import type { AuditRow } from '../../../src/storage/tables/rows/audit.ts'
import type { CategorySchemaVersionRow } from '../../../src/storage/tables/rows/categories.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { queryAt } from './postgres.ts'

/** Runs one statement that both engines understand, and resolves with its rows; whole numbers may come as text. */
export type Query = <Row>(sql: string) => Promise<readonly Row[]>

/** A version of a category schema; without a document where it is a deletion. */
export interface RecordedVersion {
  readonly version: number
  readonly document: string | undefined
  readonly author: string
  readonly assignedAt: number
}

/** Records that no store reads, such as the audit and the versions of category schemas. */
export interface Recorded {
  /** Oldest first. */
  entries(): Promise<readonly AuditEntry[]>
  /** Entries that are not in the index of the log yet. */
  countUnindexed(): Promise<number>
  /** Newest first. */
  versions(owner: SchemaOwner): Promise<readonly RecordedVersion[]>
  /** Bytes of all documents of all owners, each counted as often as it is stored. */
  storedBytes(): Promise<number>
  /** Rows of the table. */
  count(table: keyof Rows): Promise<number>
}

/** Whole numbers of PostgreSQL may come as texts. */
export function recordedIn(query: Query): Recorded {
  return {
    async entries() {
      const rows = await query<AuditRow>('select * from audit order by id')
      return rows.map((row) => {
        const { number: _, ...entry } = toEntry({
          ...row,
          id: Number(row.id),
          happened_at: Number(row.happened_at),
          checksum: row.checksum === null ? null : Number(row.checksum),
        })
        return entry
      })
    },
    async countUnindexed() {
      return (await query('select number from audit_unindexed')).length
    },
    async storedBytes() {
      const rows = await query<CategorySchemaVersionRow>('select document from category_schema_versions')
      return rows.reduce((sum, { document }) => sum + Buffer.byteLength(document ?? ''), 0)
    },
    async count(table) {
      return Number((await query<{ total: number }>(`select count(*) as total from ${table}`))[0]!.total)
    },
    async versions(owner) {
      const ownerId = owner.kind === 'group' ? owner.groupId : owner.portalId
      const rows = await query<CategorySchemaVersionRow>('select * from category_schema_versions order by version desc')
      const own = rows.filter(({ owner_kind, owner_id }) => owner_kind === owner.kind && owner_id === ownerId)
      const stored = new Map(own.map(({ version, document }) => [Number(version), document]))
      return own.map((row) => ({
        version: Number(row.version),
        document: row.document ?? stored.get(Number(row.same_as)) ?? undefined,
        author: row.author,
        assignedAt: Number(row.assigned_at),
      }))
    },
  }
}

/** Queries a SQLite file, over a connection of its own for each statement. */
export function queryFile(file: string): Query {
  return async <Row>(sql: string) => {
    const connection = new Database(file, { readonly: true })
    try {
      return connection.prepare<[], Row>(sql).all()
    } finally {
      connection.close()
    }
  }
}

/** Queries an open connection to SQLite: that of a database in memory. */
export function queryConnection(connection: Database.Database): Query {
  return async <Row>(sql: string) => connection.prepare<[], Row>(sql).all()
}

/** Queries PostgreSQL, over a connection of its own for each statement. */
export function queryUrl(url: string): Query {
  return <Row>(sql: string) => queryAt<Row>(url, sql)
}
