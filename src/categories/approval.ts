import { operationRefused } from '../errors.ts'
import type { EditableOwner } from './owners.ts'
import type { CategoryReaders } from './store.ts'

/** Whether the organization asks for a second person before the schema of this owner changes. */
export async function asksForApproval(
  { directory }: CategoryReaders,
  { owner, portalId }: Pick<EditableOwner, 'owner' | 'portalId'>,
): Promise<boolean> {
  const approval = (await directory.findPortal(portalId))?.categoryApproval
  return approval === 'all' || (approval === 'organization' && owner.kind === 'portal')
}

/** Refuses a change by one person where the organization asks for two; `draft` is what to create instead. */
export async function requireNoApproval(
  stores: CategoryReaders,
  editable: Pick<EditableOwner, 'owner' | 'portalId'>,
  draft = '',
): Promise<void> {
  if (!(await asksForApproval(stores, editable))) return
  throw operationRefused(
    `The organization asks for a second person: keep the change as a draft (categorySchema/drafts${draft}), and propose it.`,
  )
}
