import type { Kysely } from 'kysely'
import type { CategoryCondition, CategoryHolder, Condition, SearchFields } from '../../../search/condition.ts'
import { wordsOf } from '../../../search/folding.ts'
import type { Rows } from '../../tables/rows.ts'
import type { FindNumbers } from '../search-index/compile.ts'
import { contains, type InTime, whileInTime } from '../select.ts'

/**
 * Finds the numbers of the categories that conditions name. An item is indexed by the categories above its own too, so that
 * those are enough that match themselves.
 */
export async function findCategoryNumbers<Fields extends SearchFields>(
  db: Kysely<Rows>,
  inTime: InTime,
  conditions: readonly Condition<Fields>[],
): Promise<FindNumbers> {
  const found = new Map<CategoryCondition, readonly number[]>()
  for (const condition of conditions.flatMap(categoriesIn)) {
    if (!found.has(condition)) found.set(condition, await findNumbers(db, inTime, condition))
  }
  return (condition) => found.get(condition) ?? []
}

function categoriesIn<Fields extends SearchFields>(condition: Condition<Fields>): readonly CategoryCondition[] {
  const some = condition as Condition
  switch (some.kind) {
    case 'and':
    case 'or':
      return some.of.flatMap(categoriesIn)
    case 'not':
      return categoriesIn(some.of)
    case 'category':
    case 'categoryTitle':
    case 'categoryWords':
      return [some]
    default:
      return []
  }
}

async function findNumbers(db: Kysely<Rows>, inTime: InTime, condition: CategoryCondition): Promise<readonly number[]> {
  if (condition.kind === 'categorized') return []
  const paths = whileInTime(ofHolder(db, condition.holder), inTime).select(['id', 'path_key'])
  if (condition.kind === 'category') {
    const rows = await paths.where('path_key', '=', condition.path).execute()
    return rows.map(({ id }) => id)
  }
  const title = condition.kind === 'categoryTitle' ? condition.title : condition.words[0]!
  const rows = await paths.where((row) => contains(db, row.ref('path_key'), title)).execute()
  return rows.filter(({ path_key }) => isMeant(titleOf(path_key), condition)).map(({ id }) => id)
}

function ofHolder(db: Kysely<Rows>, holder: CategoryHolder) {
  const paths = db.selectFrom('category_paths')
  return holder === 'portal'
    ? paths.where('owner_kind', '=', 'portal')
    : paths.where('owner_kind', '=', 'group').where('owner_id', '=', holder.groupId)
}

/** Titles have no slash. */
function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function isMeant(title: string, condition: Exclude<CategoryCondition, { kind: 'category' | 'categorized' }>): boolean {
  if (condition.kind === 'categoryTitle') return title === condition.title
  const words = wordsOf(title)
  return words.some((_, at) => condition.words.every((word, next) => words[at + next] === word))
}
