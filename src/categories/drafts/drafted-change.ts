import type { Call } from '../../call/call.ts'
import { acceptAssign, acceptDeletion } from '../change/accept.ts'
import type { SchemaPlan } from '../change/plan.ts'
import { planCategorySchema, planSchemaDeletion, planSchemaRestore } from '../change/plan-operations.ts'
import { acceptRestore } from '../change/restore.ts'
import type { ChangeReaders, ChangeStores } from '../history/store.ts'
import { groupLimits, portalLimits } from '../limits.ts'
import { assign, type NewVersion, type Publication, removeSchema, restore } from '../operations.ts'
import type { EditableOwner, OwnerInput } from '../owners.ts'
import { judgeSchema } from '../schema.ts'
import type { DraftContent } from './draft.ts'

/** An accepted change; a deletion has no document. */
type Accepted = EditableOwner & { readonly document?: string }

/** The operation that publishes a draft. */
interface DraftedChange {
  /** Throws what publishing it would be refused with. */
  accept(stores: ChangeReaders, call: Call): Promise<Accepted>
  plan(stores: ChangeReaders, call: Call): Promise<SchemaPlan>
  publish(stores: ChangeStores, call: Call, publication: Publication): Promise<NewVersion>
}

function changeBy<Input>(
  input: Input,
  accept: (stores: ChangeReaders, call: Call, input: Input) => Promise<Accepted>,
  plan: (stores: ChangeReaders, call: Call, input: Input) => Promise<SchemaPlan>,
  publish: (stores: ChangeStores, call: Call, input: Input, publication: Publication) => Promise<NewVersion>,
): DraftedChange {
  return {
    accept: (stores, call) => accept(stores, call, input),
    plan: (stores, call) => plan(stores, call, input),
    publish: (stores, call, publication) => publish(stores, call, input, publication),
  }
}

/** A draft as what it does when it is published; without a base, whatever version is present. */
export function changeOf(
  draft: Omit<DraftContent, 'baseVersion'> & { readonly baseVersion: number | undefined },
  { owner }: OwnerInput,
): DraftedChange {
  const { action, document, baseVersion: ifVersion, moves, comment, vanishing, restoredFrom, items = 'follow' } = draft
  if (action === 'delete') {
    const deletion = { owner, options: { value: { ifVersion, comment } } }
    return changeBy(deletion, acceptDeletion, planSchemaDeletion, removeSchema)
  }
  if (action === 'restore') {
    const options = { value: { ifVersion, comment, items } }
    return changeBy({ owner, version: `${restoredFrom}`, options }, acceptRestore, planSchemaRestore, restore)
  }
  const schema = { value: judgeSchema(document, owner.kind === 'group' ? groupLimits : portalLimits) }
  const assigned = { owner, schema, options: { ifVersion, moves, comment, vanishing } }
  return changeBy(assigned, acceptAssign, planCategorySchema, (stores, call, input, publication) =>
    assign(stores, call, input, 'assign', publication),
  )
}
