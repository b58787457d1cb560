import type { WithoutAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { planCategorySchema, planSchemaDeletion, planSchemaRestore } from '../categories/change/plan-operations.ts'
import {
  createSchemaDraft,
  deleteSchemaDraft,
  listSchemaDrafts,
  planSchemaDraft,
  proposeSchemaDraft,
  publishSchemaDraft,
  readSchemaDraft,
  returnSchemaDraft,
  updateSchemaDraft,
} from '../categories/drafts/operations.ts'
import { diffSchemaVersions, listSchemaVersions, readSchemaVersion } from '../categories/history/operations.ts'
import { mergeCategorySchema } from '../categories/merge/operations.ts'
import {
  assignCategorySchema,
  deleteCategorySchema,
  importCategorySchema,
  readCategorySchema,
  restoreSchemaVersion,
} from '../categories/operations.ts'
import { forOwners } from '../categories/owners.ts'
import { exportCategorySchema } from '../schema-files/export-operations.ts'
import type { Readers, Stores } from '../storage/storage.ts'
import * as roomAdditions from './additions.ts'
import * as roomAuditedQueries from './audited-queries.ts'
import * as roomChanges from './changes.ts'
import * as roomQueries from './queries.ts'
import * as roomSearches from './searches.ts'

/**
 * Every operation by its id: the name of its function, the id of its endpoint, and the word in the audit. Its kind is the
 * file that it is exported from; operations of owners of category schemas are below, as each has several ids.
 * The type of an operation limits what it can do: a query gets readers, which have no writing methods.
 */

/** An operation that only reads. */
export type Query<Input = never, Output = unknown> = (stores: Readers, call: Call, input: Input) => Promise<Output>

/** An operation that may write. */
type Change = (stores: Stores, call: Call, input: never) => Promise<unknown>

/** Operations that only read and are not audited. */
export const queries = {
  ...roomQueries,
  ...forOwners({ readCategorySchema, readSchemaVersion, exportCategorySchema }),
  ...forOwners({ listSchemaDrafts, readSchemaDraft }),
} as const satisfies Readonly<Record<string, Query>>

/** Queries that read any number of rows: they are scheduled by used time, have a deadline, and block no other request. */
export const searches = {
  ...roomSearches,
  ...forOwners({ listSchemaVersions, diffSchemaVersions, mergeCategorySchema }),
  ...forOwners({ planCategorySchema, planSchemaDeletion, planSchemaRestore, planSchemaDraft }),
} as const satisfies Readonly<Record<string, Query>>

/** Operations that only read and are audited. */
export const auditedQueries = {
  ...roomAuditedQueries,
} as const satisfies Readonly<Record<string, Query>>

/** Operations that add data: refused while the disk of the database is nearly full. */
export const additions = {
  ...roomAdditions,
  ...forOwners({ assignCategorySchema, importCategorySchema, restoreSchemaVersion }),
  ...forOwners({ createSchemaDraft, updateSchemaDraft, publishSchemaDraft }),
} as const satisfies Readonly<Record<string, Change>>

/** Operations that change data and are audited. */
export const changes = {
  ...roomChanges,
  ...additions,
  ...forOwners({ deleteCategorySchema, deleteSchemaDraft, proposeSchemaDraft, returnSchemaDraft }),
} as const satisfies Readonly<Record<string, Change>>

/** Operations that run in a writing transaction, if only for the audit entry. */
export const commands = { ...auditedQueries, ...changes }

type Operations = typeof queries & typeof searches & typeof commands

export type OperationId = keyof Operations
export type CommandId = keyof typeof commands
export type SearchId = keyof typeof searches

/** Effect of an operation: nothing, an audit entry, or a change and an audit entry. */
export type EffectOf<Id> = Id extends keyof typeof changes
  ? 'change'
  : Id extends keyof typeof auditedQueries
    ? 'audit'
    : 'none'

/** Effect of an operation; none of an id that is no operation. */
export function effectOf(id: string): EffectOf<OperationId> {
  if (id in changes) return 'change'
  return id in auditedQueries ? 'audit' : 'none'
}

/** Type of an operation's third argument; undefined if it takes none. */
export type InputOf<Id extends OperationId> =
  Parameters<Operations[Id]> extends readonly [unknown, unknown, infer Input] ? Input : undefined
export type OutputOf<Id extends OperationId> = Id extends CommandId
  ? WithoutAuditDetails<Awaited<ReturnType<Operations[Id]>>>
  : Awaited<ReturnType<Operations[Id]>>
