import type { Endpoint } from '../endpoint.ts'
import { draftRows } from './draft-rows.ts'
import { exportRows } from './export-rows.ts'
import { importRows } from './import-rows.ts'
import { schemaOwners } from './owner-words.ts'
import { planRows } from './plan-rows.ts'
import { schemaRows } from './schema-rows.ts'
import { versionRows } from './version-rows.ts'

/** Category schemas of groups and of the organization. */
export const categoryRows: readonly Endpoint[] = schemaOwners.flatMap((words) => [
  ...schemaRows(words),
  ...planRows(words),
  ...versionRows(words),
  ...draftRows(words),
  ...exportRows(words),
  ...importRows(words),
])
