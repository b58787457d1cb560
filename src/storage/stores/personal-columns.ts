import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { usernameKey } from '../../directory/user.ts'
import { type Erased, isName, replaceNames, replaceWords } from '../../directory/users/erasure.ts'
import { isPostgres } from '../tables/catalog.ts'
import type { Rows } from '../tables/rows.ts'
import type { TableName } from '../tables/tables.ts'
import { contains } from './select.ts'

/**
 * Columns in which the program itself names people, and which stay when an account is deleted. Other tables refer to users by
 * ids, or their rows go with the account.
 */
export const namedColumns: { readonly [Table in TableName]?: readonly (keyof Rows[Table] & string)[] } = {
  category_schema_versions: ['author', 'draft'],
  schema_drafts: ['created_by', 'saved_by', 'state_by', 'people', 'reviewer', 'note'],
  schema_templates: ['created_by'],
  invitation_steps: ['username'],
  jobs: ['failures'],
  job_items: ['data'],
  audit: ['username', 'target', 'address', 'data'],
  webhooks: ['ended_by'],
}

/** Columns with sentences of the program; a draft has one where it has failed. */
const sentences: readonly string[] = ['failures', 'note']

export type StoredRow = Readonly<Record<string, string | number | null>>

/** Columns of a row in which the names are replaced; undefined where the row has none of them. */
export function findReplaced(table: TableName, row: StoredRow, erased: Erased): StoredRow | undefined {
  const isCaller = isName(row['username'], erased)
  // The subject at an identity provider is often a mail address.
  const subject =
    isCaller && row['operation'] === 'linkIdentity' && /"subject":"([^"]+)"/.exec(String(row['data']))?.[1]
  const all = subject ? { ...erased, names: [...erased.names, subject] } : erased
  const replace = (column: string, text: string) => {
    if (table === 'audit' && column === 'address') return isCaller ? '' : text
    if (column === 'note' && row['state'] !== 'failed') return text
    return sentences.includes(column) ? replaceWords(text, all) : replaceNames(text, all)
  }
  const changed = (namedColumns[table] ?? []).flatMap((column) => {
    const text = String(row[column] ?? '')
    const replaced = replace(column, text)
    return replaced === text ? [] : [[column, replaced] as const]
  })
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** Whether one of the columns contains one of the names, whatever the case of their ASCII letters. */
export function hasAny(db: Kysely<Rows>, columns: readonly string[], names: readonly string[]): RawBuilder<SqlBool> {
  const collation = sql.raw(isPostgres(db) ? ' collate "C"' : '')
  const conditions = columns.flatMap((column) => {
    const lower = sql<string>`lower(cast(${sql.ref(column)} as text)${collation})`
    return names.map((name) => contains(db, lower, usernameKey(name)))
  })
  return sql<SqlBool>`(${sql.join([sql`1 = 0`, ...conditions], sql` or `)})`
}
