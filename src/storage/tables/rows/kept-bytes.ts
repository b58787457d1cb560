/** Rows besides items whose bytes count for the person who made them, or else for the organization alone; as SQL. */
interface KeptRows {
  readonly table: 'category_schema_versions' | 'schema_drafts' | 'job_items'
  /** Columns with the texts that count, in UTF-8. */
  readonly texts: readonly string[]
  /** Id of the user, or of the organization where there is no such user; null for neither. `row` is a name of the row. */
  account(row: string): string
}

/** A deleted user's name may be another's now, who was not there yet. */
const named = (name: string, at: string) =>
  `(select user_id from users where username_key = lower(${name}) and users.created_at <= ${at})`

const starter = (job: string) =>
  `coalesce((select user_id from users where user_id = ${job}.starter_id), ${job}.portal_id)`

export const keptRows: readonly KeptRows[] = [
  {
    table: 'category_schema_versions',
    texts: ['document', 'comment', 'moves', 'path_moves', 'draft'],
    account: (row) => `coalesce(${named(`${row}.author`, `${row}.assigned_at`)}, (select head.portal_id
      from category_schemas as head where head.owner_kind = ${row}.owner_kind and head.owner_id = ${row}.owner_id))`,
  },
  {
    table: 'schema_drafts',
    texts: ['document', 'moves', 'comment', 'note'],
    account: (row) => `coalesce(${named(`${row}.saved_by`, `${row}.saved_at`)}, ${row}.portal_id)`,
  },
  {
    table: 'job_items',
    texts: ['data'],
    account: (row) => `(select ${starter('job')} from jobs as job where job.job_id = ${row}.job_id)`,
  },
]

/** Bytes of texts of a row. */
export function bytesOf(texts: readonly string[], row: string): string {
  return texts.map((text) => `coalesce(octet_length(${row}.${text}), 0)`).join(' + ')
}

/** Rows of accounts, number of items and bytes: one for each kind of what an account has. */
export const accountsOfRows: string = [
  'select owner_id as account, count(*) as items, sum(bytes) as bytes from items group by owner_id',
  ...keptRows.map(
    ({ table, texts, account }) => `select account, 0, sum(bytes) from
      (select ${account('kept')} as account, ${bytesOf(texts, 'kept')} as bytes from ${table} as kept) as ${table}_kept
      where account is not null group by account`,
  ),
].join(' union all ')
