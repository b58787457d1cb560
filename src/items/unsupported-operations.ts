import { type Call, requirePermission } from '../call/call.ts'
import { holds } from '../directory/permissions.ts'
import { requireUser } from '../directory/users/named-user.ts'
import { itemInfoNotFound, operationRefused } from '../errors.ts'
import { requireVisibleItem } from './item-access.ts'
import type { ItemReaders } from './store.ts'

/** Resources that clients ask for and that are not kept here: folders, and files that describe an item. Permission comes first. */

interface OfUser {
  readonly username: string
}

/** There are no folders (chosen): for the user and administrators, as a folder would be. */
async function refuseFolder(stores: ItemReaders, call: Call, { username }: OfUser): Promise<never> {
  const { caller, user } = await requireUser(stores, call, username)
  requirePermission(user.userId === caller.userId || holds(caller, user.portalId, 'portal:admin:viewItems'))
  throw operationRefused('There are no folders here.')
}

export async function createFolder(stores: ItemReaders, call: Call, input: OfUser): Promise<never> {
  return refuseFolder(stores, call, input)
}

export async function readFolder(stores: ItemReaders, call: Call, input: OfUser): Promise<never> {
  return refuseFolder(stores, call, input)
}

export async function useFolder(stores: ItemReaders, call: Call, input: OfUser): Promise<never> {
  return refuseFolder(stores, call, input)
}

interface OfItem {
  readonly itemId: string
}

/** There are no thumbnails and no metadata; clients expect this error then (observed). */
export async function readItemInfo(stores: ItemReaders, call: Call, { itemId }: OfItem): Promise<never> {
  await requireVisibleItem(stores, call, itemId)
  throw itemInfoNotFound()
}

/** Refuses as `readItemInfo` does, one folder deeper. */
export async function readItemInfoFile(stores: ItemReaders, call: Call, input: OfItem): Promise<never> {
  return readItemInfo(stores, call, input)
}
