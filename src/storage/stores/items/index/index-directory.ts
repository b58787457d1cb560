import { type Compilable, type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import { groupFields } from '../../../../directory/group.ts'
import { groupKeywords, groupTexts } from '../../../../directory/group-search.ts'
import { userFields } from '../../../../directory/user.ts'
import { userKeywords, userTexts } from '../../../../directory/users/user-search.ts'
import type { Condition, IndexedFields, SearchFields } from '../../../../search/condition.ts'
import type { Rows } from '../../../tables/rows.ts'
import { mapper } from '../../mapper.ts'
import { prepared } from '../../prepared.ts'
import type { DeadlineCondition } from '../../select.ts'
import { codesOf, type IndexedNoun, matchingRows } from './compile.ts'
import { indexed } from './document.ts'
import { digestOfRecord, findRow, type IndexedRecord, putIndexRows, requireRow } from './index-rows.ts'

const groups = mapper(groupFields)
const users = mapper(userFields)

/** Groups in the index. */
export const groupIndex = directoryIndex('group', {
  select: (db, id) =>
    db
      .selectFrom('groups')
      .innerJoin('users', 'users.user_id', 'groups.owner_id')
      .selectAll('groups')
      .select('users.username')
      .where('groups.group_id', '=', id),
  toRecord: (row) => ({ ...groups.toRecord(row), ownerUsername: row.username }),
  texts: groupTexts,
  keywords: groupKeywords,
  compared: 'owner',
})

/** Users in the index. */
export const userIndex = directoryIndex('user', {
  select: (db, id) => db.selectFrom('users').selectAll('users').where('user_id', '=', id),
  toRecord: users.toRecord,
  texts: userTexts,
  keywords: userKeywords,
  compared: 'username',
})

interface Noun<Row, Indexed, Texts, Keywords> {
  select(db: Kysely<Rows>, id: string): Compilable<Row>
  toRecord(row: Readonly<Row>): Indexed
  readonly texts: Texts & IndexedFields<Indexed>
  readonly keywords: Keywords & IndexedFields<Indexed>
  /** The text field whose whole values are kept for conditions that no token decides. */
  readonly compared: string
}

function directoryIndex<Row, Indexed, Texts extends object, Keywords extends object>(
  name: 'group' | 'user',
  { select, toRecord, texts, keywords, compared }: Noun<Row, Indexed, Texts, Keywords>,
) {
  interface Fields extends SearchFields {
    readonly text: keyof Texts & string
    readonly keyword: keyof Keywords & string
    readonly number: 'created' | 'modified'
    readonly category: never
  }
  const [table, id, index] = [`${name}s`, `${name}_id`, `${name}_index`] as const
  const noun: IndexedNoun<Fields> = {
    index,
    words: `${name}_words`,
    text: codesOf(texts),
    keywords: codesOf(keywords),
    numbers: { created: `${table}.created_at`, modified: `${table}.modified_at` },
  }
  const find = prepared((db, given: { id: string }) => select(db, given.id))

  /** Record that the index has to have, in the row with this number. */
  async function findRecord(db: Kysely<Rows>, of: string, number: number) {
    const row = await find.first(db, { id: of })
    if (!row) return undefined
    const record = { row: { number, [id]: of }, ...indexed(toRecord(row), texts, keywords, compared) }
    return record as unknown as IndexedRecord<typeof index>
  }

  return {
    table,
    id,
    /** Whether a row of the table in the statement matches. */
    isMatching(
      db: Kysely<Rows>,
      condition: Condition<Fields>,
      deadlineCondition: DeadlineCondition,
    ): Expression<SqlBool> {
      if (condition.kind === 'all') return sql<SqlBool>`1 = 1`
      const rows = matchingRows(db, noun, {
        condition,
        also: { kind: 'all' },
        findCategories: () => ({ kind: 'none' }),
      })
      const [own, kept] = [sql.ref(`${table}.${id}`), sql.ref(`${index}.${id}`)]
      return sql<SqlBool>`${own} in (select ${kept} from ${rows.from} join ${sql.table(table)} on ${own} = ${kept}
        where ${sql.join([...(deadlineCondition ? [deadlineCondition] : []), rows.where], sql` and `)})`
    },
    /** Indexes one as it is stored now; called at the end of every write that changes it. */
    async put(db: Kysely<Rows>, of: string): Promise<void> {
      const { number, digest } = await requireRow(db, index, of)
      const record = await findRecord(db, of, number)
      if (record) await putIndexRows(db, index, [{ ...record, before: digest }])
    },
    /** Whether the index has it as it is stored. */
    async agrees(db: Kysely<Rows>, of: string): Promise<boolean> {
      const kept = await findRow(db, index, of)
      const record = kept && (await findRecord(db, of, kept.number))
      return record !== undefined && digestOfRecord(record) === kept?.digest
    },
  }
}
