import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ChecksumStore } from '../../call/checksums.ts'
import type { Rows } from '../tables/rows.ts'
import { primaryKeys } from '../tables/tables.ts'
import { checksumOf, type DocumentTable, documentTables, type StoredDocument } from './checksums.ts'
import { prepared } from './prepared.ts'

/** Documents that get their checksums in one step (chosen): usually some megabytes at most. */
const documentsOfStep: Readonly<Record<DocumentTable, number>> = {
  category_schema_versions: 50,
  schema_drafts: 50,
  schema_templates: 50,
  items: 500,
  item_texts: 50,
  audit: 500,
}

/** Condition of rows without a checksum, as in the indexes. */
function withoutChecksum(table: DocumentTable): RawBuilder<unknown> {
  const hasDocument = table === 'category_schema_versions' ? sql`and document is not null` : sql``
  return sql`from ${sql.table(table)} where checksum is null ${hasDocument}`
}

type Changed = Readonly<Record<string, string | number | null>>

const putChecksum = Object.fromEntries(
  documentTables.map((table) => {
    const statement = prepared<Changed, never>((db, given) => {
      const key = primaryKeys[table].map((name) => sql`${sql.ref(name)} = ${given[name]}`)
      const update = sql`update ${sql.table(table)} set checksum = ${given.checksum} where ${sql.join(key, sql` and `)}`
      return { compile: () => update.compile(db) as never }
    })
    return [table, statement] as const
  }),
)

export function checksumStore(db: Kysely<Rows>): ChecksumStore {
  return {
    async putChecksums() {
      for (const table of documentTables) {
        const max = documentsOfStep[table]
        const { rows } = await sql<
          StoredDocument<DocumentTable>
        >`select * ${withoutChecksum(table)} limit ${max}`.execute(db)
        for (const row of rows) await putChecksum[table]!.send(db, { ...row, checksum: checksumOf(table, row) })
        if (rows.length > 0) return rows.length
      }
      return 0
    },
    async countUnknown() {
      let sum = 0
      for (const table of documentTables) {
        const { rows } = await sql<{ total: number }>`select count(*) as total ${withoutChecksum(table)}`.execute(db)
        sum += rows[0]!.total
      }
      return sum
    },
  }
}
