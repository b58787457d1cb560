import type { Caller } from '../call/caller.ts'
import type { Privilege } from '../call/privilege.ts'
import type { GroupOutline } from '../directory/group.ts'
import { isOwnerOrManager, type MemberType } from '../directory/membership.ts'
import { holds } from '../directory/permissions.ts'
import { say } from '../sentences/say.ts'
import type { Item, ItemLevel } from './item.ts'
import { controlOf } from './item-permissions.ts'
import type { ItemOfMember } from './store.ts'

/** Who shares what with whom, as pure functions. */

/** Level as clients give it; an absent flag counts as false where another one is there (chosen). */
export interface LevelFlags {
  readonly everyone: boolean | undefined
  readonly org: boolean | undefined
  /** An older name of `org`. */
  readonly account: boolean | undefined
}

/** The level that the flags say; undefined without flags: it stays. */
export function levelOf({ everyone, org, account }: LevelFlags): ItemLevel | undefined {
  if (everyone === undefined && org === undefined && account === undefined) return undefined
  if (everyone) return 'public'
  return org || account ? 'org' : 'private'
}

type Audience = 'Group' | 'Org' | 'Public'
const audiences = { private: undefined, org: 'Org', public: 'Public' } as const satisfies Record<
  ItemLevel,
  Audience | undefined
>

/** For own items, and for those of others (documented). */
const sharingPrivileges = {
  Group: ['portal:user:shareToGroup', 'portal:admin:shareToGroup'],
  Org: ['portal:user:shareToOrg', 'portal:admin:shareToOrg'],
  Public: ['portal:user:shareToPublic', 'portal:admin:shareToPublic'],
} as const satisfies Readonly<Record<Audience, readonly [Privilege, Privilege]>>

/** Own items by one privilege, those of others by another. */
export function mayShareWith(caller: Caller, item: Item, audience: Audience): boolean {
  const [own, others] = sharingPrivileges[audience]
  return item.ownerId === caller.userId ? caller.privileges.has(own) : holds(caller, item.portalId, others)
}

/** Whether the caller shares the item as its owner or as an administrator, and not only into groups that they manage. */
export function governsSharing(caller: Caller, item: Item): boolean {
  if (item.ownerId === caller.userId) return true
  return (['Group', 'Org', 'Public'] as const).some((audience) => mayShareWith(caller, item, audience))
}

/** Owners take back what they have shared; others need the privilege for the level that is or was (chosen). */
export function mayPutLevel(caller: Caller, item: Item, level: ItemLevel): boolean {
  const wanted = audiences[level]
  if (wanted && !mayShareWith(caller, item, wanted)) return false
  if (item.ownerId === caller.userId) return true
  const present = audiences[item.level]
  return present === undefined || mayShareWith(caller, item, present)
}

const ranks = { private: 0, org: 1, public: 2 } as const satisfies Record<ItemLevel, number>

/** The higher of both. */
export function raised(present: ItemLevel, wanted: ItemLevel | undefined): ItemLevel {
  return wanted !== undefined && ranks[wanted] > ranks[present] ? wanted : present
}

export function isLower(level: ItemLevel, present: ItemLevel): boolean {
  return ranks[level] < ranks[present]
}

/** A group that an item is to be shared with. */
export interface SharingTarget {
  readonly group: GroupOutline
  /** How the caller and the owner of the item belong to it. */
  readonly callerType: MemberType | undefined
  readonly ownerType: MemberType | undefined
  /** Whether only users of the item's organization are or may become members, where that matters. */
  readonly isWithin: boolean
  /** Whether the client confirms that members may update the item. */
  readonly confirms: boolean
}

const denied = say('mayNotShareWith')

/** Why the item is not shared with the group; undefined if it is (rules of the documents, and chosen ones). */
export function findSharingProblem(caller: Caller, found: ItemOfMember, target: SharingTarget): string | undefined {
  const { item } = found
  const { group, callerType, ownerType, isWithin, confirms } = target
  const governs = mayShareWith(caller, item, 'Group')
  if (!governs) {
    if (item.ownerId === caller.userId || !isOwnerOrManager(callerType)) return denied
    // Managers may not reshare a private item.
    if (item.level === 'private') return say('onlyOwnerSharesPrivate')
    if (item.level === 'org' && !isWithin) {
      return say('onlyOwnerSharesOut')
    }
  }
  const types = governs ? [callerType, ownerType] : [callerType]
  if (types.every((type) => type === undefined)) return say('ownerNotInGroup')
  if (group.isViewOnly && !types.some(isOwnerOrManager)) {
    return say('onlyManagersShare')
  }
  if (!group.givesItemControl) return undefined
  if (!confirms) return say('confirmControl')
  return controlOf(caller, found) === 'admin' ? undefined : say('onlyOwnerGivesControl')
}
