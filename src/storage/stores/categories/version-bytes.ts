import { sql } from 'kysely'

/** Bytes of a version that count for the limits, in UTF-8. */
export const bytesOfVersion = sql<number>`coalesce(octet_length(document), 0) + coalesce(octet_length(comment), 0)
  + coalesce(octet_length(moves), 0) + coalesce(octet_length(path_moves), 0)
  + coalesce(octet_length(draft), 0)`
