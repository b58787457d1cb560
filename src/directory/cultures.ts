import type { Call } from '../call/call.ts'
import type { DirectoryReaders } from './store.ts'

/** Languages that are set for the caller: the user's, then that of the organization. */
export async function culturesOf(
  { directory }: DirectoryReaders,
  { caller }: Pick<Call, 'caller'>,
): Promise<readonly string[]> {
  if (!caller) return []
  const user = await directory.findUserById(caller.userId)
  const portal = await directory.findPortal(caller.portalId)
  return [user?.culture ?? '', portal?.culture ?? ''].filter((culture) => culture !== '')
}
