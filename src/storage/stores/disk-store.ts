import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { DiskReader } from '../../call/disk.ts'
import { isPostgres } from '../tables/catalog.ts'
import type { Rows } from '../tables/rows.ts'
import { prepared } from './prepared.ts'

/** Of the file as this transaction leaves it. */
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

/** The disk of a SQLite file. What is not yet written from the log into the file counts as used. */
export function diskStore(db: Kysely<Rows>): DiskReader {
  return {
    async findSpace() {
      if (isPostgres(db)) return undefined
      const { path, pages, free, bytes } = (await selectPages.first(db, {}))!
      if (path === '') return undefined
      const { bavail, blocks, bsize } = statfsSync(dirname(path))
      const { size } = statSync(path)
      return { free: bavail * bsize + size - (pages - free) * bytes, size: blocks * bsize }
    },
  }
}
