import { settledEntries, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import type { Privilege } from '../../call/privilege.ts'
import { attemptOne } from '../../call/several.ts'
import { operationRefused } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { requireOwnPortal, requirePrivilege } from '../portal-operations.ts'
import type { AppsOfOwners, DirectoryStores, ItemsOfUsers, Sessions } from '../store.ts'
import type { User } from '../user.ts'
import { requireAnotherAdministrator, requireGoverns, usersPath } from './governing.ts'
import { findNamedUser, requireUser } from './named-user.ts'

type DirectoryAndItems = DirectoryStores & {
  readonly items: ItemsOfUsers
  readonly oauth: Pick<AppsOfOwners, 'listAppsOwnedBy'>
}
type DirectoryAndSessions = DirectoryStores & { readonly tokens: Sessions }

/** Disables a user and ends all sessions. The user keeps groups and role, and has to sign in again once enabled. */
export async function disableUser(
  stores: DirectoryAndSessions,
  call: Call,
  input: { username: string },
): Promise<User> {
  const { caller, user } = await requireUser(stores, call, input.username)
  await requireGoverns(stores, caller, user, 'portal:admin:disableUsers')
  await requireAnotherAdministrator(stores, user)
  await stores.directory.updateUser({ ...user, disabled: true, modifiedAt: call.now })
  await stores.tokens.removeTokensOf(user.userId)
  return user
}

export async function enableUser(stores: DirectoryStores, call: Call, input: { username: string }): Promise<User> {
  const { caller, user } = await requireUser(stores, call, input.username)
  await requireGoverns(stores, caller, user, 'portal:admin:disableUsers')
  await stores.directory.updateUser({ ...user, disabled: false, modifiedAt: call.now })
  return user
}

/** A user who owns groups or items cannot be deleted; they have to be reassigned first (documented for groups). */
export async function deleteUser(stores: DirectoryAndItems, call: Call, input: { username: string }): Promise<User> {
  const { caller, user } = await requireUser(stores, call, input.username)
  await requireGoverns(stores, caller, user, 'portal:admin:deleteUsers')
  await requireAnotherAdministrator(stores, user)
  const owned = await stores.directory.countGroupsOwnedBy(user.userId)
  if (owned > 0) throw operationRefused(say('ownsGroups', { username: user.username, count: owned }))
  const { items } = await stores.items.countItemsOwnedBy(user.userId)
  if (items > 0) {
    const apps = await formatApps(stores, user)
    throw operationRefused(say('ownsItems', { username: user.username, count: items, apps }))
  }
  await stores.directory.removeUser(user.userId)
  return user
}

const maxAppsNamed = 10

/** Sentence about the user's apps, whose items are given away or deleted before the user. */
async function formatApps({ oauth }: DirectoryAndItems, { userId }: User): Promise<string> {
  const apps = await oauth.listAppsOwnedBy(userId, maxAppsNamed + 1)
  if (apps.length === 0) return ''
  const named = apps.slice(0, maxAppsNamed).map(({ title, clientId }) => `${title} (${clientId})`)
  const all = [...named, ...(apps.length > maxAppsNamed ? ['others'] : [])].join(', ')
  return ` Apps are registered for some of them, and end with their item, or lose their secret with a new owner: ${all}.`
}

/** Users of one organization by their names or ids. */
interface NamedUsers {
  readonly portalId: string
  readonly names: Parsed<{ readonly users: readonly string[] }>
}

/** Outcome for each user, with the reason where nothing was done. */
interface Settled extends WithAuditDetails {
  readonly results: readonly { readonly username: string; readonly reason: string | undefined }[]
}

export async function disableUsers(stores: DirectoryAndSessions, call: Call, input: NamedUsers): Promise<Settled> {
  return forEach(stores, call, input, 'portal:admin:disableUsers', (username) =>
    disableUser(stores, call, { username }),
  )
}

export async function enableUsers(stores: DirectoryStores, call: Call, input: NamedUsers): Promise<Settled> {
  return forEach(stores, call, input, 'portal:admin:disableUsers', (username) => enableUser(stores, call, { username }))
}

export async function removeUsers(stores: DirectoryAndItems, call: Call, input: NamedUsers): Promise<Settled> {
  return forEach(stores, call, input, 'portal:admin:deleteUsers', (username) => deleteUser(stores, call, { username }))
}

/** A user who is refused stays as before, and the others are changed (documented). */
async function forEach(
  stores: DirectoryStores,
  call: Call,
  { portalId, names }: NamedUsers,
  privilege: Privilege,
  change: (username: string) => Promise<User>,
): Promise<Settled> {
  const { caller, portal } = await requireOwnPortal(stores, call, portalId)
  requirePrivilege(caller, portal.portalId, privilege)
  const results: { username: string; reason: string | undefined }[] = []
  const outcomes: { target: string | undefined; code: number | undefined }[] = []
  for (const username of unwrapParsed(names).users) {
    const done = await attemptOne(() => change(username))
    const user = done.refusal ? await findNamedUser(stores, username) : done.result
    const target = !done.refusal || user?.portalId === portal.portalId ? user?.username : undefined
    outcomes.push({ target, code: done.refusal?.code })
    results.push({ username, reason: done.refusal?.message })
  }
  return { results, audit: settledEntries(outcomes, (usernames) => ({ target: usersPath(usernames) })) }
}
