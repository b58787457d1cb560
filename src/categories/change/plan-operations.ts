import type { Call } from '../../call/call.ts'
import { emptySchema } from '../history/document-hash.ts'
import { type GroupIds, groupOwners, type OwnerKind, type PortalIds, portalOwners } from '../owners.ts'
import { type AssignInput, acceptAssign, acceptDeletion, type DeleteInput } from './accept.ts'
import { planChange, type SchemaPlan } from './plan.ts'
import { acceptRestore, type RestoreInput } from './restore.ts'
import type { ChangeReaders } from './store.ts'

/** Dry runs: each has the verdict of the change itself, by the same functions, and tells what it would do. */

async function planAssign<Ids>(
  kind: OwnerKind<Ids>,
  stores: ChangeReaders,
  call: Call,
  input: Ids & AssignInput,
): Promise<SchemaPlan> {
  const { owner, document, options } = await acceptAssign(kind, stores, call, input)
  const { moves = [], vanishing } = options
  return planChange(stores, { owner, after: JSON.parse(document), moves, isCleared: vanishing === 'clear' })
}

export const planGroupCategorySchema = (stores: ChangeReaders, call: Call, input: GroupIds & AssignInput) =>
  planAssign(groupOwners, stores, call, input)
export const planPortalCategorySchema = (stores: ChangeReaders, call: Call, input: PortalIds & AssignInput) =>
  planAssign(portalOwners, stores, call, input)

async function planDeletion<Ids>(
  kind: OwnerKind<Ids>,
  stores: ChangeReaders,
  call: Call,
  input: Ids & DeleteInput,
): Promise<SchemaPlan> {
  const { owner } = await acceptDeletion(kind, stores, call, input)
  return planChange(stores, { owner, after: emptySchema, moves: [], isCleared: false })
}

export const planGroupSchemaDeletion = (stores: ChangeReaders, call: Call, input: GroupIds & DeleteInput) =>
  planDeletion(groupOwners, stores, call, input)
export const planPortalSchemaDeletion = (stores: ChangeReaders, call: Call, input: PortalIds & DeleteInput) =>
  planDeletion(portalOwners, stores, call, input)

async function planRestore<Ids>(
  kind: OwnerKind<Ids>,
  stores: ChangeReaders,
  call: Call,
  input: Ids & RestoreInput,
): Promise<SchemaPlan> {
  const { owner, document, moves, undone } = await acceptRestore(kind, stores, call, input)
  return planChange(stores, { owner, after: JSON.parse(document), moves, isCleared: false, undone })
}

export const planGroupSchemaRestore = (stores: ChangeReaders, call: Call, input: GroupIds & RestoreInput) =>
  planRestore(groupOwners, stores, call, input)
export const planPortalSchemaRestore = (stores: ChangeReaders, call: Call, input: PortalIds & RestoreInput) =>
  planRestore(portalOwners, stores, call, input)
