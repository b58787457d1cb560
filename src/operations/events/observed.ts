import type { AuditDetails } from '../../call/audit-details.ts'
import type { SchemaOwner } from '../../categories/store.ts'
import type { Collaboration, Workspace, WorkspaceAccess } from '../../collaborations/collaboration.ts'
import type { Invitation } from '../../collaborations/invitation.ts'
import type { Participation } from '../../collaborations/participation.ts'
import type { Group } from '../../directory/group.ts'
import type { Member } from '../../directory/membership.ts'
import type { Portal } from '../../directory/portal.ts'
import type { Role } from '../../directory/role.ts'
import type { User } from '../../directory/user.ts'
import type { Item } from '../../items/item.ts'
import type { Readers, Stores } from '../../storage/storage.ts'
import type { Webhook } from '../../webhooks/hook.ts'

/**
 * Objects that a command has written, seen at the stores: each as it was before its first write, and as it is afterwards. So no
 * operation reports what it changed, and what was written without a change is not reported.
 */

/** Objects by their kinds, as they are looked at. */
interface Images {
  readonly portal: Portal
  readonly user: User
  readonly role: Role
  readonly group: Group
  readonly member: Member
  readonly item: Item
  /** Data of an item. */
  readonly text: string
  /** Ids of the groups that an item is shared with. */
  readonly links: readonly string[]
  /** Categories of a group that an item carries. */
  readonly groupCategories: readonly string[]
  readonly schema: { readonly owner: SchemaOwner; readonly document: Uint8Array | undefined }
  readonly collaboration: Collaboration
  readonly workspace: Workspace
  /** Access of a participant in each workspace. */
  readonly access: readonly WorkspaceAccess[]
  readonly participation: Participation
  readonly invitation: Invitation
  readonly webhook: Webhook
}
type Kind = keyof Images

/** Kind and id, or several ids. */
type Place = readonly [kind: Kind, id: string]

/** Two ids as one; no id has a blank. */
const both = (one: string, other: string) => `${one} ${other}`
const split = (key: string) => key.split(' ') as [string, string]

type Read<Image> = (stores: Readers, ids: readonly string[]) => Promise<ReadonlyMap<string, Image>>

/** Reads one after the other. */
function each<Image>(read: (stores: Readers, id: string) => Promise<Image | undefined>): Read<Image> {
  return async (stores, ids) => {
    const images = new Map<string, Image>()
    for (const id of ids) {
      const image = await read(stores, id)
      if (image !== undefined) images.set(id, image)
    }
    return images
  }
}

const reads: { readonly [Name in Kind]: Read<Images[Name]> } = {
  portal: each(({ directory }, id) => directory.findPortal(id)),
  user: each(({ directory }, id) => directory.findUserById(id)),
  role: each(({ directory }, id) => directory.findRole(id)),
  group: each(({ directory }, id) => directory.findGroup(id)),
  member: each(({ directory }, key) => directory.findMember(...split(key))),
  item: async ({ items }, ids) =>
    new Map((await items.listItemsFor(ids, undefined)).map(({ item }) => [item.itemId, item])),
  text: each(({ items }, id) => items.findItemText(id)),
  links: each(async ({ items }, id) => (await items.listItemLinks(id)).map(({ groupId }) => groupId)),
  async groupCategories({ items }, keys) {
    const images = new Map<string, readonly string[]>()
    for (const [groupId, of] of Map.groupBy(keys, (key) => split(key)[0])) {
      const ids = of.map((key) => split(key)[1])
      for (const [itemId, paths] of await items.listGroupCategories(groupId, ids))
        images.set(both(groupId, itemId), paths)
    }
    return images
  },
  schema: each(async ({ categories }, key) => {
    const owner = ownerOf(key)
    return { owner, document: (await categories.findDocument(owner))?.document }
  }),
  collaboration: each(({ collaborations }, id) => collaborations.findCollaboration(id)),
  workspace: each(async ({ collaborations }, key) => {
    const [collaborationId, workspaceId] = split(key)
    return (await collaborations.listWorkspaces(collaborationId)).find((known) => known.workspaceId === workspaceId)
  }),
  access: each(async ({ collaborations }, key) => {
    const [collaborationId, portalId] = split(key)
    return collaborations.listGroupLinks(collaborationId, { portalId })
  }),
  participation: each(({ collaborations }, key) => collaborations.findParticipation(...split(key))),
  invitation: each(({ collaborations }, id) => collaborations.findInvitation(id)),
  webhook: each(({ webhooks }, id) => webhooks.findWebhook(id)),
}

const keyOf = (owner: SchemaOwner) =>
  owner.kind === 'group' ? both('group', owner.groupId) : both('portal', owner.portalId)

function ownerOf(key: string): SchemaOwner {
  const [kind, id] = split(key)
  return kind === 'group' ? { kind, groupId: id } : { kind: 'portal', portalId: id }
}

type Given<Method> = Method extends (...given: infer Parameters) => unknown ? Parameters : never

type Writes<Room extends keyof Stores> = {
  readonly [Name in keyof Stores[Room]]?: (...given: Given<Stores[Room][Name]>) => readonly Place[]
}

/** Objects that each writing method changes, as far as events depend on them. */
const writes: {
  readonly [Room in 'directory' | 'items' | 'categories' | 'collaborations' | 'webhooks']: Writes<Room>
} = {
  directory: {
    updatePortal: ({ portalId }) => [['portal', portalId]],
    addUser: ({ userId }) => [['user', userId]],
    updateUser: ({ userId }) => [['user', userId]],
    removeUser: (userId) => [['user', userId]],
    addRole: ({ roleId }) => [['role', roleId]],
    updateRole: ({ roleId }) => [['role', roleId]],
    removeRole: (roleId) => [['role', roleId]],
    addGroup: ({ groupId }) => [['group', groupId]],
    updateGroup: ({ groupId }) => [['group', groupId]],
    removeGroup: (groupId) => [['group', groupId]],
    putMember: (groupId, { userId }) => [['member', both(groupId, userId)]],
    removeMember: (groupId, userId) => [['member', both(groupId, userId)]],
  },
  items: {
    addItem: ({ itemId }) => [['item', itemId]],
    updateItem: ({ itemId }, text) => [['item', itemId], ...(text === undefined ? [] : ([['text', itemId]] as const))],
    removeItem: (itemId) => [['item', itemId]],
    giveItem: (itemId) => [['item', itemId]],
    putCategories: (assigned) => assigned.map(({ itemId }) => ['item', itemId]),
    putGroupCategories: (groupId, assigned) => assigned.map(({ itemId }) => ['groupCategories', both(groupId, itemId)]),
    putItemLink: (itemId) => [['links', itemId]],
    removeItemLink: (itemId) => [['links', itemId]],
  },
  categories: {
    putDocument: (owner) => [['schema', keyOf(owner)]],
    removeDocument: (owner) => [['schema', keyOf(owner)]],
  },
  collaborations: {
    addCollaboration: ({ collaborationId }) => [['collaboration', collaborationId]],
    updateCollaboration: ({ collaborationId }) => [['collaboration', collaborationId]],
    removeCollaboration: (collaborationId) => [['collaboration', collaborationId]],
    addWorkspace: ({ collaborationId, workspaceId }) => [['workspace', both(collaborationId, workspaceId)]],
    updateWorkspace: ({ collaborationId, workspaceId }) => [['workspace', both(collaborationId, workspaceId)]],
    putWorkspaceAccess: (collaborationId, portalId) => [['access', both(collaborationId, portalId)]],
    removeParticipant: (collaborationId, portalId) => [['access', both(collaborationId, portalId)]],
    putParticipation: ({ portalId, collaborationId }) => [['participation', both(portalId, collaborationId)]],
    removeParticipation: (portalId, collaborationId) => [['participation', both(portalId, collaborationId)]],
    addInvitation: ({ invitationId }) => [['invitation', invitationId]],
    changeInvitation: ({ to }) => [['invitation', to.invitationId]],
  },
  webhooks: {
    updateWebhook: ({ webhookId }) => [['webhook', webhookId]],
  },
}

/** One object before and after a command; undefined where there was none. */
export interface Observed<Image> {
  readonly id: string
  readonly before: Image | undefined
  readonly after: Image | undefined
}

/** Called before an object is written for the first time. */
export type BeforeWrite = (kind: Kind, ids: readonly string[]) => Promise<void>

/** Watches what a command writes through these stores. */
export class Observer {
  readonly stores: Stores
  readonly #plain: Stores
  readonly #before = new Map<Kind, Map<string, unknown>>()

  constructor(stores: Stores, beforeWrite: BeforeWrite = async () => undefined) {
    this.#plain = stores
    const watched = Object.entries(writes).map(([room, methods]) => {
      const store = stores[room as keyof typeof writes] as unknown as Record<string, (...given: unknown[]) => unknown>
      const wrapped = Object.entries(methods).map(([name, placesOf]) => [
        name,
        async (...given: unknown[]) => {
          await this.#look((placesOf as (...given: unknown[]) => readonly Place[])(...given), beforeWrite)
          return store[name]!(...given)
        },
      ])
      return [room, { ...store, ...Object.fromEntries(wrapped) }]
    })
    this.stores = { ...stores, ...Object.fromEntries(watched) }
  }

  async #look(places: readonly Place[], beforeWrite: BeforeWrite): Promise<void> {
    for (const [kind, of] of Map.groupBy(places, ([of]) => of)) {
      const known = this.#before.get(kind) ?? new Map<string, unknown>()
      this.#before.set(kind, known)
      const ids = [...new Set(of.map(([, id]) => id))].filter((id) => !known.has(id))
      if (ids.length === 0) continue
      await beforeWrite(kind, ids)
      const found: ReadonlyMap<string, unknown> = await reads[kind](this.#plain, ids)
      for (const id of ids) known.set(id, found.get(id))
    }
  }

  /** Objects of a kind that were written, in the order of their first writes. */
  async list<Name extends Kind>(kind: Name): Promise<readonly Observed<Images[Name]>[]> {
    const before = this.#before.get(kind) as ReadonlyMap<string, Images[Name] | undefined> | undefined
    if (!before) return []
    const after = await (reads[kind] as Read<Images[Name]>)(this.#plain, [...before.keys()])
    return [...before].map(([id, image]) => ({ id, before: image, after: after.get(id) }))
  }
}

/** Entries of what was done, without those of refusals. */
export const doneEntries = (entries: readonly AuditDetails[]) =>
  entries.filter(({ outcome }) => outcome === undefined || outcome === 200)
