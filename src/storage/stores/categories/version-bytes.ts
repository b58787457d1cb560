import { sql } from 'kysely'
import { bytesOf, textsOfVersion } from '../../tables/rows/kept-bytes.ts'

/** Bytes of a version that count for the limits, in UTF-8. */
export const bytesOfVersion = sql<number>`${sql.raw(bytesOf(textsOfVersion, 'category_schema_versions'))}`
