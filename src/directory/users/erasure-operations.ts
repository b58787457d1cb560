import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { operationRefused } from '../../errors.ts'
import type { DirectoryReaders } from '../store.ts'
import { formerMember } from '../user.ts'
import type { Erased, ErasureStore, RowKey } from './erasure.ts'
import { usersPath } from './governing.ts'

type Stores = DirectoryReaders & { readonly erasure: ErasureStore }

/**
 * Begins to erase the names of a former user, by an entry of the log: it has a keyed digest of the username, by which an
 * interrupted erasure goes on.
 */
export async function eraseUser(
  { directory, erasure }: Stores,
  _call: Call,
  input: { readonly username: string; readonly digest: string; readonly portalId: string | undefined },
): Promise<WithAuditDetails> {
  await requireDeleted(directory, input.username)
  const alias = `${formerMember}${await erasure.findErasureNumber()}`
  return { audit: { target: usersPath([alias]), portalId: input.portalId, data: { digest: input.digest } } }
}

/** One step: replaces the names in some rows. */
export async function eraseNames(
  { directory, erasure }: Stores,
  _call: Call,
  input: { readonly table: string; readonly keys: readonly RowKey[]; readonly erased: Erased },
): Promise<WithAuditDetails & { readonly rows: number }> {
  await requireDeleted(directory, input.erased.names[0]!)
  return { rows: await erasure.replaceNames(input.table, input.keys, input.erased), audit: nothingDone }
}

/** One of the last steps: cleans the index of the log. */
export async function endErasure(
  { erasure }: Stores,
  _call: Call,
  { entry, isFirst }: { readonly entry: number; readonly isFirst: boolean },
): Promise<WithAuditDetails & { readonly isDone: boolean }> {
  return { isDone: await erasure.putErasureEnd(entry, isFirst), audit: nothingDone }
}

async function requireDeleted(directory: Stores['directory'], username: string): Promise<void> {
  if (await directory.findUser(username))
    throw operationRefused(`There is a user ${username}: delete the account first.`)
}
