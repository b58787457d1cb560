import type { Database } from 'better-sqlite3'
import { type SqlBool, sql } from 'kysely'
import { searchTooLate } from '../search-turns.ts'
import type { DeadlineCondition } from '../stores/select.ts'

/** Ends searches on one connection at their deadline. */
export interface SearchDeadline {
  /** Part of the statements of a search. */
  readonly deadlineCondition: DeadlineCondition
  /** Runs one search, whose statements fail with StorageUnavailable after `until`. */
  during<Result>(until: number, work: () => Promise<Result>): Promise<Result>
}

/**
 * A statement cannot be interrupted from outside, so it calls this function for each row that it looks at. Of a function
 * that is not deterministic, SQLite keeps no result from one row to the next.
 */
export function openSearchDeadline(connection: Database): SearchDeadline {
  let until = Number.POSITIVE_INFINITY
  connection.function('is_before_deadline', { deterministic: false }, () => {
    if (performance.now() > until) throw searchTooLate()
    return 1
  })
  return {
    deadlineCondition: sql<SqlBool>`is_before_deadline()`,
    async during(deadline, work) {
      until = deadline
      try {
        return await work()
      } finally {
        until = Number.POSITIVE_INFINITY
      }
    },
  }
}
