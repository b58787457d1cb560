import { type Kysely, sql } from 'kysely'
import type { CategoryCondition, CategoryHolder, Condition, SearchFields } from '../../../search/condition.ts'
import { wordsOf } from '../../../search/folding.ts'
import type { CategoryPathRow } from '../../tables/rows/categories.ts'
import type { Rows } from '../../tables/rows.ts'
import type { OwnerColumns } from '../categories/kept-versions.ts'
import { contains, type DeadlineCondition, withinDeadline } from '../select.ts'
import { belowCode, categorizedCode, categoryCode, type FindCategories } from './index/compile.ts'
import { keywordToken } from './index/document.ts'
import { both, either, type Match, token } from './index/match.ts'

/**
 * Finds the tokens of the categories that conditions name. An item is indexed by the numbers of its categories, and by those of
 * the categories above them at that time: one token for everything below a category. Where a category has moved below another
 * one or away since, that token is not exact, and the search uses the token of each category below.
 */
export async function findCategories<Fields extends SearchFields>(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  conditions: readonly Condition<Fields>[],
): Promise<FindCategories> {
  const found = new Map<CategoryCondition, Match>()
  for (const condition of conditions.flatMap(categoriesIn)) {
    if (!found.has(condition)) found.set(condition, await findMatch(db, deadlineCondition, condition))
  }
  return (condition) => found.get(condition)!
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
    case 'categorized':
      return [some]
    default:
      return []
  }
}

async function findMatch(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  condition: CategoryCondition,
): Promise<Match> {
  const { holder } = condition
  if (condition.kind === 'categorized') return findCategorized(db, deadlineCondition, holder)
  const rows = selectCategories(db, deadlineCondition, holder)
  if (condition.kind === 'category')
    return toMatch(db, deadlineCondition, await rows.where('path_key', '=', condition.path).execute())
  const title = condition.kind === 'categoryTitle' ? condition.title : condition.words[0]!
  const found = await rows.where((row) => contains(db, row.ref('path_key'), title)).execute()
  return toMatch(
    db,
    deadlineCondition,
    found.filter(({ path_key }) => isMeant(titleOf(path_key), condition)),
  )
}

/** Items with any category that is not cleared. */
async function findCategorized(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  holder: CategoryHolder,
): Promise<Match> {
  const any = token(keywordToken(categorizedCode, holder === 'portal' ? '' : holder.groupId))
  const cleared = await selectCategories(db, deadlineCondition, holder).where('state', '=', 'cleared').execute()
  if (cleared.length === 0) return any
  // An item with a cleared category may have others of the same owner, too.
  const others: string[] = []
  for (const owner of ownersOf(cleared)) {
    const shown = (await selectOf(db, deadlineCondition, owner).execute()).filter(({ state }) => state !== 'cleared')
    others.push(...shown.map(carriedToken))
  }
  return either([both(any, { kind: 'not', of: anyToken(cleared.map(carriedToken)) }), anyToken(others)])
}

interface FoundCategory extends OwnerColumns {
  readonly id: number
  readonly parent_id: number | null
  readonly path_key: string
  readonly state: CategoryPathRow['state']
  /** Null if the token for everything below the category is exact. */
  readonly inexact: number | null
}

/** Items with these categories, or with ones below them. */
async function toMatch(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  found: readonly FoundCategory[],
): Promise<Match> {
  const below = new Map<number, FoundCategory[]>()
  for (const owner of ownersOf(found.filter(({ inexact }) => inexact !== null))) {
    for (const category of await selectOf(db, deadlineCondition, owner).execute()) {
      if (category.parent_id === null) continue
      const known = below.get(category.parent_id)
      if (known) known.push(category)
      else below.set(category.parent_id, [category])
    }
  }
  const expand = (category: FoundCategory): readonly string[] => {
    const itself = category.state === 'cleared' ? [] : [carriedToken(category)]
    if (category.inexact === null) return [...itself, keywordToken(belowCode, String(category.id))]
    return [...itself, ...(below.get(category.id) ?? []).flatMap(expand)]
  }
  return anyToken(found.flatMap(expand))
}

function carriedToken({ id }: { readonly id: number }): string {
  return keywordToken(categoryCode, String(id))
}

function anyToken(tokens: readonly string[]): Match {
  return either([...new Set(tokens)].map((one) => token(one)))
}

function ownersOf(categories: readonly FoundCategory[]): readonly OwnerColumns[] {
  return [...new Map(categories.map((one) => [`${one.owner_kind} ${one.owner_id}`, one])).values()]
}

function selectOf(db: Kysely<Rows>, deadlineCondition: DeadlineCondition, { owner_kind, owner_id }: OwnerColumns) {
  return select(db, deadlineCondition).where('owner_kind', '=', owner_kind).where('owner_id', '=', owner_id)
}

function selectCategories(db: Kysely<Rows>, deadlineCondition: DeadlineCondition, holder: CategoryHolder) {
  const paths = select(db, deadlineCondition)
  return holder === 'portal'
    ? paths.where('owner_kind', '=', 'portal')
    : paths.where('owner_kind', '=', 'group').where('owner_id', '=', holder.groupId)
}

function select(db: Kysely<Rows>, deadlineCondition: DeadlineCondition) {
  const inexact = sql<number | null>`(select category_id from inexact_categories where category_id = category_paths.id)`
  return withinDeadline(db.selectFrom('category_paths'), deadlineCondition)
    .select(['id', 'owner_kind', 'owner_id', 'parent_id', 'path_key', 'state'])
    .select(inexact.as('inexact'))
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
