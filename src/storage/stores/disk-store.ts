import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { DiskReader, DiskSpace } from '../../call/disk.ts'
import { isPostgres } from '../tables/catalog.ts'
import type { Rows } from '../tables/rows.ts'
import { prepared } from './prepared.ts'

/**
 * Size of the write-ahead log, in pages, at which it is checkpointed: 16 MB. Measured, large writes take a fifth less
 * time than with SQLite's default of 1,000.
 */
export const logPages = 4_000

/** Pages of the file as of the present transaction. */
interface FilePages {
  readonly path: string
  readonly pages: number
  readonly free: number
  readonly bytes: number
}

const selectPages = prepared<object, FilePages>((db) => ({
  compile: () =>
    sql`select file as path, page_count as pages, freelist_count as free, page_size as bytes
      from pragma_database_list, pragma_page_count, pragma_freelist_count, pragma_page_size
      where name = 'main'`.compile(db) as never,
}))

/** Free bytes above which not every write measures the disk (chosen): each adds some megabytes at most. */
const plenty = 1024 * 1024 * 1024
/** Writes for each measurement then (chosen): one costs 10 µs, a tenth of a small write (measured). */
const writesPerLook = 16

/**
 * The disk of a SQLite file. Pages that are only in the log count as used in the file; the space that the log will take counts
 * as used, too.
 */
export function diskStore(db: Kysely<Rows>): DiskReader {
  let last: DiskSpace | undefined
  let writes = 0
  return {
    async findSpace(isFresh = false) {
      if (isPostgres(db)) return undefined
      writes += 1
      if (!isFresh && last && last.free > plenty && writes % writesPerLook !== 0) return last
      const { path, pages, free, bytes } = (await selectPages.first(db, {}))!
      if (path === '') return undefined
      const { bavail, blocks, bsize } = statfsSync(dirname(path))
      const [{ size }, log] = [statSync(path), statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0]
      const logGrows = Math.max(0, logPages * bytes - log)
      last = { free: bavail * bsize - logGrows + size - (pages - free) * bytes, size: blocks * bsize }
      return last
    },
  }
}
