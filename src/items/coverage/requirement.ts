import type { DirectoryReaders } from '../../directory/store.ts'
import { operationRefused } from '../../errors.ts'
import type { Item, ItemAccess } from '../item.ts'
import { findPolicyProblem } from './policy.ts'

/** Refuses more access for an item without a category that its organization requires for it. */
export async function requireCategoryFor(
  { directory }: DirectoryReaders,
  item: Item,
  access: ItemAccess,
): Promise<void> {
  if (access === 'private' || access === item.access) return
  const portal = await directory.findPortal(item.portalId)
  const problem = portal && findPolicyProblem(portal.categoryPolicy, item, access)
  if (problem !== undefined) throw operationRefused(problem)
}
