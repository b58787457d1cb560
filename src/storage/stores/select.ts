import type { SelectQueryBuilder } from 'kysely'
import type { Page } from '../../paging.ts'
import type { Rows } from '../tables/rows.ts'

/** The rows of one page. */
export function paginate<Table extends keyof Rows, Row>(
  query: SelectQueryBuilder<Rows, Table, Row>,
  page: Page,
): SelectQueryBuilder<Rows, Table, Row> {
  return query.limit(page.num).offset(page.start - 1)
}

/** Number of rows of a query without columns. */
export async function count<Table extends keyof Rows>(
  query: SelectQueryBuilder<Rows, Table, Record<never, never>>,
): Promise<number> {
  const { total } = await query
    .select((expression) => expression.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** `50%_off` → a LIKE pattern that finds it anywhere, with `\` as its escape. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
