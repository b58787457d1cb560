import { up } from '../../../src/storage/tables/migrations/100-foundation.ts'

/** The migration that made what all former ones made. */
export const foundationAlone = { '100-foundation': { up } }

/** Statements by which a database says that so many former migrations made its tables, the last among them. */
export function noteFormer(many = 39): readonly string[] {
  const numbers = Array.from({ length: many - 1 }, (_, at) => `${String(at + 1).padStart(3, '0')}-former`)
  const rows = [...numbers, '045-bytes-of-schemas'].map((name) => `('${name}', '2026-11-01T00:00:00.000Z')`)
  return ['delete from kysely_migration', `insert into kysely_migration (name, timestamp) values ${rows.join(', ')}`]
}
