import type { Caller } from '../../call/caller.ts'
import { builtInRoles, isBuiltInRole } from '../../call/privilege.ts'
import {
  canViewGroup,
  canViewMembers,
  canViewUser,
  holds,
  isDefaultAdministrator,
  mayAssignPortalSchema,
  mayManageCategories,
} from '../../directory/permissions.ts'
import { canViewItem } from '../../items/item-permissions.ts'
import type { Readers } from '../../storage/storage.ts'
import { webhookPrivilege } from '../../webhooks/access.ts'
import { type ChangeEvent, describeEvent, partsOfName } from '../../webhooks/events.ts'
import type { Webhook } from '../../webhooks/hook.ts'
import { type Pattern, patternsOf } from '../../webhooks/paths.ts'
import type { CollectingHook } from '../../webhooks/store.ts'

/** A hook that collects, with what it asks for and what its owner may see. */
export interface Watcher {
  readonly hook: Webhook
  readonly portalUrl: string
  readonly owner: Caller
  readonly patterns: readonly Pattern[]
}

/** Hooks that collect: those whose owner may manage webhooks, and those whose owner no longer may. */
export interface Watching {
  readonly watchers: readonly Watcher[]
  readonly ownerless: readonly Webhook[]
}

/** Reads the hooks that collect, of all organizations. */
export async function readWatching({ webhooks }: Readers): Promise<Watching> {
  const watchers: Watcher[] = []
  const ownerless: Webhook[] = []
  for (const { hook, portalUrl, owner: user } of await webhooks.listCollecting()) {
    const owner = user && callerOf(hook, user)
    if (owner) watchers.push({ hook, portalUrl, owner, patterns: patternsOf(hook.events) })
    else ownerless.push(hook)
  }
  return { watchers, ownerless }
}

/** The owner of a hook as a caller; undefined if it may no longer manage webhooks. */
function callerOf({ ownerId, portalId }: Webhook, user: NonNullable<CollectingHook['owner']>): Caller | undefined {
  const { username, role, disabled, customPrivileges = [] } = user
  const privileges = new Set(isBuiltInRole(role) ? builtInRoles[role] : customPrivileges)
  const isManager = !disabled && user.portalId === portalId && privileges.has(webhookPrivilege)
  return isManager ? { userId: ownerId, username, portalId, role, privileges } : undefined
}

/** Whether its owner sees only some objects of the organization: default administrators see all. */
export function isLimited({ owner }: Watcher): boolean {
  return !isDefaultAdministrator(owner, owner.portalId)
}

/** Keys of objects that an owner sees before they are written, so that a deletion reaches who saw what was deleted. */
export class SeenBefore {
  readonly #keys = new Set<string>()

  async note(stores: Readers, owners: readonly Caller[], kind: string, ids: readonly string[]): Promise<void> {
    const noun = { item: 'items', group: 'groups', user: 'users' }[kind]
    if (noun === undefined) return
    for (const owner of owners) {
      for (const id of ids)
        if (await seesObject(stores, owner, noun, id)) this.#keys.add(`${owner.userId} ${noun} ${id}`)
    }
  }

  has(owner: Caller, noun: string, id: string): boolean {
    return this.#keys.has(`${owner.userId} ${noun} ${id}`)
  }
}

/** Whether a user sees an object; undefined if there is none. */
async function seesObject(stores: Readers, owner: Caller, noun: string, id: string): Promise<boolean | undefined> {
  switch (noun) {
    case 'items': {
      const found = await stores.items.findItemFor(id, owner.userId)
      return found && canViewItem(owner, found)
    }
    case 'groups': {
      const found = await stores.directory.findGroupFor(id, owner.userId)
      return found && canViewGroup(owner, found.group, found.memberType)
    }
    default: {
      const user = await stores.directory.findUserById(id)
      return user && canViewUser(owner, user)
    }
  }
}

const aboutMembers = ['invite', 'addUsers', 'removeUsers', 'updateUsers']
const aboutDrafts = ['proposeSchemaDraft', 'returnSchemaDraft', 'publishSchemaDraft']

/** Whether the owner of a hook may see the object of an event: after it, and of a deletion, before it (chosen). */
export async function maySee(
  stores: Readers,
  { owner }: Watcher,
  event: ChangeEvent,
  before: SeenBefore,
): Promise<boolean> {
  const { portalId } = owner
  if (isDefaultAdministrator(owner, portalId)) return true
  const [noun, operation] = partsOfName(event.name)
  if (describeEvent(noun, operation)?.isAskedFor) return false
  switch (noun) {
    case 'organization':
      return !aboutDrafts.includes(operation) || mayAssignPortalSchema(owner, portalId)
    case 'items':
    case 'users':
      return (await seesObject(stores, owner, noun, event.id)) ?? before.has(owner, noun, event.id)
    case 'groups': {
      if (event.source === 'items') return (await seesObject(stores, owner, 'items', event.id)) ?? false
      const found = await stores.directory.findGroupFor(event.id, owner.userId)
      if (!found) return before.has(owner, noun, event.id)
      const { group, memberType } = found
      if (aboutDrafts.includes(operation)) return mayManageCategories(memberType)
      if (aboutMembers.includes(operation)) return canViewMembers(owner, group, memberType)
      return canViewGroup(owner, group, memberType)
    }
    case 'collaborations':
      return holds(owner, portalId, 'portal:admin:manageCollaborations')
    default:
      return true
  }
}
