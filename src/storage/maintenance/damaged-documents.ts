import type { Kysely } from 'kysely'
import { type DocumentTable, documentTables, findDamage, type StoredDocument } from '../stores/checksums.ts'
import type { Rows } from '../tables/rows.ts'
import { readBatches } from './read-batches.ts'

/** Places of stored documents whose checksum does not match. `onBatch` may throw to stop. */
export async function* listDamaged(db: Kysely<Rows>, onBatch: () => void = () => undefined): AsyncGenerator<string> {
  for (const table of documentTables) {
    for await (const rows of readBatches(db, table)) {
      onBatch()
      for (const row of rows) {
        const place = findDamage(table, row as StoredDocument<DocumentTable>)
        if (place) yield place
      }
    }
  }
}
