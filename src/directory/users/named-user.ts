import { type Call, requireCaller } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { userNotFound } from '../../errors.ts'
import { canViewUser } from '../permissions.ts'
import type { DirectoryReaders } from '../store.ts'
import { isUserId, type User, usernameKey } from '../user.ts'

/** The user of a path: a username, whatever its case, or an id, as clients write either (observed). */
export async function findNamedUser({ directory }: DirectoryReaders, named: string): Promise<User | undefined> {
  const user = await directory.findUser(named)
  if (user || !isUserId(usernameKey(named))) return user
  return directory.findUserById(usernameKey(named))
}

/** The user if the caller sees it; otherwise 499 for an anonymous caller, 400 for any other. */
export async function requireVisibleUser(stores: DirectoryReaders, call: Call, named: string): Promise<User> {
  const user = await findNamedUser(stores, named)
  if (user && canViewUser(call.caller, user)) return user
  requireCaller(call)
  throw userNotFound()
}

/** Requires a visible user, and returns the caller too: an anonymous one gets 499 even if the user is public. */
export async function requireUser(
  stores: DirectoryReaders,
  call: Call,
  named: string,
): Promise<{ readonly caller: Caller; readonly user: User }> {
  const caller = requireCaller(call)
  return { caller, user: await requireVisibleUser(stores, call, named) }
}
