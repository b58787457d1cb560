import type { Call } from '../../call/call.ts'
import { emptySchema } from '../history/document-hash.ts'
import type { ChangeReaders } from '../history/store.ts'
import { type AssignInput, acceptAssign, acceptDeletion, type DeleteInput, readPresent } from './accept.ts'
import { type PlannedChange, planFrom, type SchemaPlan } from './plan.ts'
import { acceptRestore, type RestoreInput } from './restore.ts'

/** Dry runs: each has the verdict of the change itself, by the same functions, and returns what it would do. */

export async function planCategorySchema(stores: ChangeReaders, call: Call, input: AssignInput): Promise<SchemaPlan> {
  const { owner, document, options } = await acceptAssign(stores, call, input)
  const { moves = [], vanishing } = options
  return planChange(stores, { owner, after: JSON.parse(document), moves, isCleared: vanishing === 'clear' })
}

export async function planSchemaDeletion(stores: ChangeReaders, call: Call, input: DeleteInput): Promise<SchemaPlan> {
  const { owner } = await acceptDeletion(stores, call, input)
  return planChange(stores, { owner, after: emptySchema, moves: [], isCleared: false })
}

export async function planSchemaRestore(stores: ChangeReaders, call: Call, input: RestoreInput): Promise<SchemaPlan> {
  const { owner, document, moves, undone } = await acceptRestore(stores, call, input)
  return planChange(stores, { owner, after: JSON.parse(document), moves, isCleared: false, undone })
}

async function planChange(stores: ChangeReaders, change: PlannedChange): Promise<SchemaPlan> {
  const before = await readPresent(stores, change.owner)
  const head = await stores.schemaHistory.findHead(change.owner)
  return planFrom({ before, version: head?.version ?? 0 }, stores.items, change)
}
