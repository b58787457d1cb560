import type { AuditDetails } from '../../call/audit-details.ts'
import { summarizeChange } from '../../categories/diff/diff.ts'
import { emptySchema } from '../../categories/history/document-hash.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import type { SchemaOwner } from '../../categories/store.ts'
import type { Group, GroupProperties } from '../../directory/group.ts'
import type { Readers } from '../../storage/storage.ts'
import type { ChangeEvent, EventName } from '../../webhooks/events.ts'
import { sentenceOf } from '../../webhooks/hook.ts'
import type { CommandId } from '../registry.ts'
import { doneEntries, type Observed, type Observer } from './observed.ts'

/** A command that is done, as its events are made of it. */
export interface Happened {
  readonly operation: CommandId
  readonly input: unknown
  /** Stores that are not watched. */
  readonly stores: Readers
  readonly observer: Observer
  readonly entries: readonly AuditDetails[]
  /** Organization of the caller. */
  readonly portalId: string
}

type Tell = (happened: Happened) => Promise<readonly ChangeEvent[]>

/** Events that an operation causes, by their names, so that nothing is looked at that no hook asks for. */
export interface Cause {
  readonly names: readonly EventName[]
  readonly tell: Tell
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Names of members that differ, as clients know them. */
function changedNames<Record extends object>(
  before: Record,
  after: Record,
  names: readonly (keyof Record & string)[],
  wire: { readonly [Name in keyof Record]?: string } = {},
): readonly string[] {
  return names.filter((name) => !isSame(before[name], after[name])).map((name) => wire[name] ?? name)
}

function differenceOf(before: readonly string[], after: readonly string[]) {
  return {
    added: after.filter((one) => !before.includes(one)),
    removed: before.filter((one) => !after.includes(one)),
  }
}

/** Objects that were there before and are there afterwards. */
function stayed<Image>(observed: readonly Observed<Image>[]) {
  return observed.flatMap(({ id, before, after }) => (before && after ? { id, before, after } : []))
}
const went = <Image>(observed: readonly Observed<Image>[]) =>
  observed.flatMap(({ id, before, after }) => (before && !after ? { id, before } : []))

// Items

const itemNames = [
  'title',
  'type',
  'typeKeywords',
  'tags',
  'snippet',
  'description',
  'documentation',
  'accessInformation',
  'licenseInfo',
  'culture',
  'spatialReference',
  'url',
  'properties',
  'extent',
] as const

type ItemWord = 'add' | 'update' | 'delete' | 'share' | 'unshare' | 'reassign' | 'protect' | 'unprotect'

/** Events of items by what has changed of them, of these operations; and those of categories of groups. */
function items(words: readonly ItemWord[], withGroupCategories = false): Cause {
  const isTold = (word: ItemWord) => words.includes(word)
  return {
    names: [
      ...words.map((word) => `items/${word}` as const),
      ...(withGroupCategories ? (['groups/updateCategories'] as const) : []),
    ],
    async tell({ stores, observer }) {
      const [seen, texts, links] = await Promise.all([
        observer.list('item'),
        observer.list('text'),
        observer.list('links'),
      ])
      const categories = withGroupCategories ? await observer.list('groupCategories') : []
      const byId = new Map(seen.map((one) => [one.id, one]))
      const others = links.map(({ id }) => id).filter((id) => !byId.has(id))
      const untouched = others.length === 0 ? [] : await stores.items.listItemsFor(others, undefined)
      for (const { item } of untouched) byId.set(item.itemId, { id: item.itemId, before: item, after: item })
      const events: ChangeEvent[] = []
      for (const { id, before, after } of byId.values()) {
        const item = after ?? before
        if (!item) continue
        const of = { title: item.title, type: item.type, owner: item.ownerUsername }
        const add = (word: ItemWord, more = {}) => {
          const { portalId } = item
          if (isTold(word)) events.push({ name: `items/${word}`, id, portalId, properties: { ...of, ...more } })
        }
        if (!before) add('add')
        else if (!after) add('delete')
        else {
          const text = texts.find((one) => one.id === id)
          const names = changedNames(before, after, itemNames)
          const paths = differenceOf(before.categories, after.categories)
          const hasPaths = !isSame(before.categories, after.categories)
          const changed = [
            ...names,
            ...(text && text.before !== text.after ? ['text'] : []),
            ...(hasPaths ? ['categories'] : []),
          ]
          if (changed.length > 0) add('update', { changed, ...(hasPaths && { categories: paths }) })
          if (before.ownerId !== after.ownerId) add('reassign', { previousOwner: before.ownerUsername })
          if (before.isProtected !== after.isProtected) add(after.isProtected ? 'protect' : 'unprotect')
          const link = links.find((one) => one.id === id)
          const groups = differenceOf(link?.before ?? [], link?.after ?? [])
          const all = { access: after.access, groups: [...groups.added, ...groups.removed] }
          const isRaised = before.level !== after.level || groups.added.length > 0
          // A call that both adds and ends is one event of its own word.
          const isBoth = isTold('share') && isTold('unshare')
          if (isBoth) {
            if (isRaised) add('share', { ...all, groups: groups.added })
            if (groups.removed.length > 0) add('unshare', { ...all, groups: groups.removed })
          } else if (isRaised || groups.removed.length > 0) add(isTold('share') ? 'share' : 'unshare', all)
        }
      }
      for (const { id, before = [], after = [] } of categories) {
        const [groupId, itemId] = id.split(' ') as [string, string]
        if (isSame(before, after)) continue
        const properties = { groupId, categories: differenceOf(before, after) }
        const portalId = (await stores.directory.findGroup(groupId))?.portalId
        const of = {
          id: itemId,
          segment: groupId,
          source: 'items',
          properties,
          ...(portalId !== undefined && { portalId }),
        }
        events.push({ name: 'groups/updateCategories', ...of })
      }
      return events
    },
  }
}

// Groups and their members

const groupWire = {
  givesItemControl: 'capabilities',
  isLeavingDisallowed: 'leavingDisallowed',
  hidesMembers: 'hiddenMembers',
  shownItemTypes: 'displaySettings',
} as const satisfies { readonly [Name in keyof GroupProperties]?: string }

const groupNames = [
  'title',
  'description',
  'snippet',
  'tags',
  'access',
  'sortField',
  'sortOrder',
  'isViewOnly',
  'isInvitationOnly',
  'autoJoin',
  'givesItemControl',
  'isLeavingDisallowed',
  'hidesMembers',
  'membershipAccess',
  'shownItemTypes',
  'phone',
] as const

const groups: Cause = {
  names: ['groups/add', 'groups/update', 'groups/delete', 'groups/protect', 'groups/unprotect', 'groups/reassign'],
  async tell({ observer }) {
    return (await observer.list('group')).flatMap(({ before, after }) => {
      if (!before || !after)
        return after ? ofGroup('groups/add', after) : before ? ofGroup('groups/delete', before) : []
      const changed = changedNames(before, after, groupNames, groupWire)
      const isOther = before.ownerId !== after.ownerId
      return [
        ...(changed.length > 0 ? [ofGroup('groups/update', after, { changed })] : []),
        ...(before.isProtected === after.isProtected
          ? []
          : [ofGroup(after.isProtected ? 'groups/protect' : 'groups/unprotect', after)]),
        ...(isOther ? [ofGroup('groups/reassign', after, { previousOwner: before.ownerUsername })] : []),
      ]
    })
  },
}

function ofGroup(name: EventName, { groupId, portalId, title, ownerUsername }: Group, more = {}): ChangeEvent {
  return { name, id: groupId, portalId, properties: { title, owner: ownerUsername, ...more } }
}

/** Members who came, went, or became something else. */
function members(name: 'groups/addUsers' | 'groups/removeUsers' | 'groups/updateUsers', reason?: string): Cause {
  return {
    names: [name],
    async tell({ stores, observer }) {
      const isTold = {
        'groups/addUsers': ({ before, after }: Observed<object>) => !before && after,
        'groups/removeUsers': ({ before, after }: Observed<object>) => before && !after,
        'groups/updateUsers': ({ before, after }: Observed<{ readonly memberType: string }>) =>
          before && after && before.memberType !== after.memberType,
      }[name]
      const seen = (await observer.list('member')).filter(isTold)
      const usernames = seen.flatMap(({ before, after }) => (after ?? before)?.username ?? [])
      const group = seen[0] && (await stores.directory.findGroup(seen[0].id.split(' ')[0]!))
      return group ? [ofGroup(name, group, { usernames, reason })] : []
    },
  }
}

const invitedToGroup: Cause = {
  names: ['groups/invite'],
  async tell({ stores, entries, input }) {
    const usernames = doneEntries(entries).flatMap(
      ({ data }) => (data?.['users'] as readonly string[] | undefined) ?? [],
    )
    const group = await stores.directory.findGroup((input as { readonly groupId: string }).groupId)
    return usernames.length === 0 || !group ? [] : [ofGroup('groups/invite', group, { usernames })]
  },
}

// People and roles

const userNames = [
  'fullName',
  'firstName',
  'lastName',
  'email',
  'description',
  'tags',
  'culture',
  'region',
  'units',
  'access',
  'providerUsername',
] as const

type UserWord = 'add' | 'update' | 'delete' | 'disable' | 'enable' | 'updateRole'

function users(...words: readonly UserWord[]): Cause {
  return {
    names: words.map((word) => `users/${word}` as const),
    async tell({ observer }) {
      const events: ChangeEvent[] = []
      for (const { id, before, after } of await observer.list('user')) {
        const user = after ?? before
        if (!user) continue
        const { username, portalId } = user
        const add = (word: UserWord, more = {}) => {
          if (words.includes(word)) {
            events.push({ name: `users/${word}`, id, portalId, segment: username, properties: { username, ...more } })
          }
        }
        if (!before && after) add('add', { role: after.role })
        else if (before && !after) add('delete')
        else if (before && after) {
          const changed = changedNames(before, after, userNames, { providerUsername: 'idpUsername' })
          if (changed.length > 0) add('update', { changed })
          if (before.disabled !== after.disabled) add(after.disabled ? 'disable' : 'enable')
          if (before.role !== after.role) add('updateRole', { role: after.role, previousRole: before.role })
        }
      }
      return events
    },
  }
}

const userReassigned: Cause = {
  names: ['users/reassign'],
  async tell({ stores, input }) {
    const given = input as {
      readonly username: string
      readonly target: { readonly value: { targetUsername: string } }
    }
    const [user, target] = await Promise.all([
      stores.directory.findUser(given.username),
      stores.directory.findUser(given.target.value.targetUsername),
    ])
    if (!user || !target) return []
    const properties = { username: user.username, targetUsername: target.username }
    return [{ name: 'users/reassign', id: user.userId, portalId: user.portalId, segment: user.username, properties }]
  },
}

/** Sign-in of the user that the log names. */
function signedIn(via: 'password' | 'app' | 'provider'): Cause {
  return {
    names: ['users/signIn'],
    async tell({ stores, entries }) {
      const username = doneEntries(entries)[0]?.username
      const user = username === undefined ? undefined : await stores.directory.findUser(username)
      if (!user) return []
      const properties = { username: user.username, via }
      return [{ name: 'users/signIn', id: user.userId, portalId: user.portalId, segment: user.username, properties }]
    },
  }
}

function roles(word: 'add' | 'update' | 'delete' | 'setPrivileges'): Cause {
  return {
    names: [`roles/${word}`],
    async tell({ observer }) {
      return (await observer.list('role')).flatMap(({ id, before, after }) => {
        const role = after ?? before
        const { added, removed } = differenceOf(before?.privileges ?? [], after?.privileges ?? [])
        const isTold = !isSame({ ...before, modifiedAt: 0 }, { ...after, modifiedAt: 0 })
        return role && isTold
          ? { name: `roles/${word}` as const, id, properties: { name: role.name, added, removed } }
          : []
      })
    },
  }
}

// Organization and schemas

const portalNames = ['name', 'description', 'access', 'culture', 'categoryPolicy', 'categoryApproval'] as const

const portal: Cause = {
  names: ['organization/update'],
  async tell({ observer }) {
    return stayed(await observer.list('portal')).flatMap(({ id, before, after }) => {
      const changed = changedNames(before, after, portalNames)
      return changed.length === 0 ? [] : { name: 'organization/update', id, properties: { changed } }
    })
  },
}

const nounOf = ({ kind }: SchemaOwner) => (kind === 'group' ? 'groups' : 'organization')
const idOf = (owner: SchemaOwner) => (owner.kind === 'group' ? owner.groupId : owner.portalId)

/** Object and organization of an event about a schema. */
async function placeOf({ directory }: Readers, owner: SchemaOwner) {
  const portalId = owner.kind === 'portal' ? owner.portalId : (await directory.findGroup(owner.groupId))?.portalId
  return { id: idOf(owner), ...(portalId !== undefined && { portalId }) }
}

/** Maximum moves that are reported (chosen). */
const maxMoves = 20

/** A new version of a schema, and its deletion. */
async function tellVersions({ stores, observer, entries }: Happened): Promise<readonly ChangeEvent[]> {
  const events: ChangeEvent[] = []
  for (const { before, after } of await observer.list('schema')) {
    const owner = (after ?? before)?.owner
    const head = owner && (await stores.schemaHistory.findHead(owner))
    const version = head && (await stores.schemaHistory.findVersion(owner, head.version))
    if (!owner || !version) continue
    const { action, moves, restoredFrom = null, comment = null } = version
    const parse = (document: Uint8Array | undefined): CategorySchema =>
      document ? JSON.parse(Buffer.from(document).toString()) : emptySchema
    const summary = summarizeChange(parse(before?.document), parse(after?.document), moves)
    const id = idOf(owner)
    const draft = doneEntries(entries).find(({ data }) => data?.['draft'] !== undefined)?.data?.['draft']
    const path = owner.kind === 'group' ? `community/groups/${id}` : `portals/${id}`
    const properties = {
      version: version.version,
      previousVersion: version.version - 1,
      action,
      summary,
      moves: moves.slice(0, maxMoves),
      restoredFrom,
      comment,
      url: `sharing/rest/${path}/categorySchema/versions/${version.version}`,
      draft,
    }
    const word = action === 'delete' ? 'deleteCategorySchema' : 'assignCategorySchema'
    events.push({ name: `${nounOf(owner)}/${word}`, ...(await placeOf(stores, owner)), properties })
  }
  return events
}

/** Operations of one kind of owner; `word` is the noun. */
function versions(noun: 'organization' | 'groups', word: 'assignCategorySchema' | 'deleteCategorySchema'): Cause {
  return { names: [`${noun}/${word}`], tell: tellVersions }
}

interface OfDraft {
  readonly owner: { readonly kind: 'group' | 'portal'; readonly id: string }
  readonly draftId: string
}

/** Progress of a draft, as its entry in the log has it. */
function draftEvents(
  noun: 'organization' | 'groups',
  word: 'proposeSchemaDraft' | 'returnSchemaDraft' | 'publishSchemaDraft',
) {
  return async ({ stores, entries, input, portalId }: Happened): Promise<readonly ChangeEvent[]> => {
    const { owner, draftId } = input as OfDraft
    const place = await placeOf(
      stores,
      owner.kind === 'group' ? { kind: 'group', groupId: owner.id } : { kind: 'portal', portalId },
    )
    return doneEntries(entries).map(({ data = {} }) => {
      const { draft, to: reviewer = null, note = null, publishAt } = data
      const state = word === 'publishSchemaDraft' ? { state: 'scheduled', publishAt } : { reviewer }
      return { name: `${noun}/${word}`, ...place, properties: { draft, draftId, ...state, note } }
    })
  }
}

function drafts(noun: 'organization' | 'groups', word: 'proposeSchemaDraft' | 'returnSchemaDraft'): Cause {
  return { names: [`${noun}/${word}`], tell: draftEvents(noun, word) }
}

/** A draft that is published now, or that has a time. */
function published(noun: 'organization' | 'groups'): Cause {
  return {
    names: [`${noun}/assignCategorySchema`, `${noun}/deleteCategorySchema`, `${noun}/publishSchemaDraft`],
    async tell(happened) {
      const made = await tellVersions(happened)
      return made.length > 0 ? made : draftEvents(noun, 'publishSchemaDraft')(happened)
    },
  }
}

/** A draft whose time has come: a version, or its failure. */
const publishedAtItsTime: Cause = {
  names: (['organization', 'groups'] as const).flatMap((noun) =>
    (['assignCategorySchema', 'deleteCategorySchema', 'publishSchemaDraft'] as const).map(
      (word) => `${noun}/${word}` as const,
    ),
  ),
  async tell(happened) {
    const made = await tellVersions(happened)
    const failed = happened.entries.find(({ outcome = 200 }) => outcome !== 200)
    if (made.length > 0 || !failed) return made
    const [, noun, id, draftId] =
      /^\/(?:community\/)?(groups|portals)\/([^/]+)\/categorySchema\/drafts\/([^/]+)/.exec(failed.target ?? '') ?? []
    if (id === undefined || draftId === undefined) return []
    const owner: SchemaOwner = noun === 'groups' ? { kind: 'group', groupId: id } : { kind: 'portal', portalId: id }
    const draft = await happened.stores.drafts.findDraft(owner, draftId)
    const properties = {
      draft: draft?.name,
      draftId,
      state: 'failed',
      publishAt: draft?.publishAt,
      note: draft?.note ?? null,
    }
    const place = await placeOf(happened.stores, owner)
    return [{ name: `${nounOf(owner)}/publishSchemaDraft`, ...place, properties }]
  },
}

// Collaborations

interface InCollaboration {
  readonly collaborationId: string
  readonly workspaceId: string
  readonly participantId: string
}

function collaborations(word: 'add' | 'update' | 'delete'): Cause {
  return {
    names: [`collaborations/${word}`],
    async tell({ observer }) {
      return (await observer.list('collaboration')).flatMap(({ id, before, after }) => {
        const isTold = !isSame({ ...before, modifiedAt: 0 }, { ...after, modifiedAt: 0 })
        const name = (after ?? before)?.name
        return isTold ? { name: `collaborations/${word}` as const, id, properties: { name } } : []
      })
    },
  }
}

/** Name of a collaboration, as its host or its guest has it. */
async function nameOf({ stores, portalId }: Happened, collaborationId: string): Promise<string> {
  const { collaborations } = stores
  const hosted = await collaborations.findCollaboration(collaborationId)
  return (hosted ?? (await collaborations.findParticipation(portalId, collaborationId)))?.name ?? ''
}

/** A workspace that came, changed or went; the log has its name. */
function workspaces(word: 'addWorkspace' | 'updateWorkspace' | 'deleteWorkspace'): Cause {
  return {
    names: [`collaborations/${word}`],
    async tell(happened) {
      const { collaborationId, workspaceId } = happened.input as InCollaboration
      const seen = await happened.observer.list('workspace')
      const isTold =
        word === 'deleteWorkspace' ||
        seen.some(({ before, after }) => before?.name !== after?.name || before?.description !== after?.description)
      if (!isTold) return []
      const workspaceName = doneEntries(happened.entries)[0]?.data?.['title']
      const properties = { name: await nameOf(happened, collaborationId), workspaceId, workspaceName }
      return [{ name: `collaborations/${word}`, id: collaborationId, properties }]
    },
  }
}

/** A group that was linked to a workspace, or no longer is. */
function groupLinks(word: 'updatePortalGroupLink' | 'removePortalGroupLink'): Cause {
  return {
    names: [`collaborations/${word}`],
    async tell(happened) {
      const { collaborationId, workspaceId } = happened.input as InCollaboration
      const images = [
        ...(await happened.observer.list('access')),
        ...(await happened.observer.list('participation')).map(({ id, before, after }) => ({
          id,
          before: before?.workspaces,
          after: after?.workspaces,
        })),
      ]
      const groupOf = (
        access: readonly { readonly workspaceId: string; readonly groupId?: string | undefined }[] = [],
      ) => access.find((one) => one.workspaceId === workspaceId)?.groupId
      const changed = images.find(({ before, after }) => groupOf(before) !== groupOf(after))
      if (!changed) return []
      const workspaceName = doneEntries(happened.entries)[0]?.data?.['title']
      const groupId = groupOf(changed.after) ?? groupOf(changed.before)
      const properties = { name: await nameOf(happened, collaborationId), workspaceId, workspaceName, groupId }
      return [{ name: `collaborations/${word}`, id: collaborationId, properties }]
    },
  }
}

const accessToWire = (access: readonly { readonly workspaceId: string; readonly accessMode: string }[]) =>
  access.map(({ workspaceId, accessMode }) => ({ id: workspaceId, accessMode }))

/** Progress of an invitation, at its host. */
function invitations(
  word: 'inviteParticipant' | 'refreshInvitation' | 'invalidateInvitation' | 'importInvitationResponse',
): Cause {
  return {
    names: [`collaborations/${word}`],
    async tell(happened) {
      const events: ChangeEvent[] = []
      for (const { id, after } of await happened.observer.list('invitation')) {
        if (!after) continue
        const { collaborationId, state: status, guestPortalUrl } = after
        const name = await nameOf(happened, collaborationId)
        const properties = {
          invitationId: id,
          status,
          guestPortalUrl,
          workspaces: accessToWire(after.workspaces),
          name,
        }
        events.push({ name: `collaborations/${word}`, id: collaborationId, properties })
      }
      return events
    },
  }
}

const invitationAccepted: Cause = {
  names: ['collaborations/acceptInvitation'],
  async tell({ observer }) {
    return (await observer.list('participation')).flatMap(({ after }) => {
      if (!after) return []
      const { collaborationId, invitationId, hostPortalUrl, name } = after
      const workspaces = accessToWire(after.workspaces)
      const properties = { invitationId, status: 'guest_accepted', hostPortalUrl, workspaces, name }
      return { name: 'collaborations/acceptInvitation', id: collaborationId, properties }
    })
  },
}

function participants(word: 'removeParticipant' | 'updateParticipantAccessModes'): Cause {
  return {
    names: [`collaborations/${word}`],
    async tell(happened) {
      const { collaborationId, participantId } = happened.input as InCollaboration
      const seen = (await happened.observer.list('access')).find(({ before, after }) => !isSame(before, after))
      if (!seen) return []
      const access = (word === 'removeParticipant' ? seen.before : seen.after) ?? []
      const properties = {
        participantId,
        workspaces: accessToWire(access),
        name: await nameOf(happened, collaborationId),
      }
      return [{ name: `collaborations/${word}`, id: collaborationId, properties }]
    },
  }
}

const collaborationLeft: Cause = {
  names: ['collaborations/removeParticipation'],
  async tell({ observer }) {
    return went(await observer.list('participation')).map(({ before }) => {
      const { portalId: participantId, collaborationId, name } = before
      const properties = { participantId, workspaces: accessToWire(before.workspaces), name }
      return { name: 'collaborations/removeParticipation', id: collaborationId, properties }
    })
  },
}

// Webhooks

/** Hooks that the server has switched off, and those that lost deliveries; the log says how many. */
export const webhooks: Cause = {
  names: ['webhooks/deactivated', 'webhooks/overflowed'],
  async tell({ observer, entries }) {
    return stayed(await observer.list('webhook')).flatMap(({ id, before, after }): readonly ChangeEvent[] => {
      const { portalId, name, ending: reason } = after
      const sentence = sentenceOf(after)
      const isOff = reason !== undefined && reason !== before.ending
      const dropped = entries.find(({ target }) => target?.endsWith(id))?.data?.['dropped']
      return [
        ...(isOff
          ? [{ name: 'webhooks/deactivated', id, portalId, properties: { name, reason, sentence } } as const]
          : []),
        ...(after.hasOverflowed && !before.hasOverflowed
          ? [{ name: 'webhooks/overflowed', id, portalId, properties: { name, reason: 'overflow', dropped } } as const]
          : []),
      ]
    })
  },
}

/** One after the other. */
function several(...causes: readonly Cause[]): Cause {
  return {
    names: causes.flatMap(({ names }) => names),
    tell: async (happened) => (await Promise.all(causes.map(({ tell }) => tell(happened)))).flat(),
  }
}

const allOfItems = ['update', 'delete', 'share', 'unshare', 'reassign'] as const

/** Operations that tell something, and what; all others are in `silent`. */
export const causes = {
  updatePortal: portal,
  assignPortalCategorySchema: versions('organization', 'assignCategorySchema'),
  importPortalCategorySchema: versions('organization', 'assignCategorySchema'),
  restorePortalSchemaVersion: versions('organization', 'assignCategorySchema'),
  deletePortalCategorySchema: versions('organization', 'deleteCategorySchema'),
  proposePortalSchemaDraft: drafts('organization', 'proposeSchemaDraft'),
  returnPortalSchemaDraft: drafts('organization', 'returnSchemaDraft'),
  publishPortalSchemaDraft: published('organization'),
  assignGroupCategorySchema: versions('groups', 'assignCategorySchema'),
  importGroupCategorySchema: versions('groups', 'assignCategorySchema'),
  restoreGroupSchemaVersion: versions('groups', 'assignCategorySchema'),
  deleteGroupCategorySchema: versions('groups', 'deleteCategorySchema'),
  proposeGroupSchemaDraft: drafts('groups', 'proposeSchemaDraft'),
  returnGroupSchemaDraft: drafts('groups', 'returnSchemaDraft'),
  publishGroupSchemaDraft: published('groups'),
  publishDueDraft: publishedAtItsTime,
  addItem: items(['add']),
  updateItem: items(['update']),
  updateItems: items(['update']),
  deleteItem: items(['delete']),
  deleteItems: items(['delete']),
  shareItem: items(['share']),
  shareUserItem: items(['share']),
  shareItems: items(['share']),
  unshareItem: items(['unshare']),
  unshareUserItem: items(['unshare']),
  unshareItems: items(['unshare']),
  reassignItem: items(['reassign']),
  protectItem: items(['protect']),
  unprotectItem: items(['unprotect']),
  updateGroupItems: items([], true),
  stepJob: items(allOfItems, true),
  revertHistoryEntry: items(allOfItems, true),
  createGroup: groups,
  updateGroup: groups,
  deleteGroup: groups,
  protectGroup: groups,
  unprotectGroup: groups,
  reassignGroup: groups,
  inviteToGroup: invitedToGroup,
  addGroupUsers: members('groups/addUsers'),
  joinGroup: members('groups/addUsers', 'join'),
  acceptGroupInvitation: members('groups/addUsers', 'accept'),
  acceptGroupApplication: members('groups/addUsers', 'application'),
  removeGroupUsers: members('groups/removeUsers'),
  leaveGroup: members('groups/removeUsers', 'leave'),
  updateGroupUsers: members('groups/updateUsers'),
  inviteUsers: users('add'),
  createUser: users('add'),
  createUserByOperator: users('add'),
  signInByProvider: several(users('add', 'updateRole'), signedIn('provider')),
  updateUser: users('update'),
  deleteUser: users('delete'),
  removeUsers: users('delete'),
  disableUser: users('disable'),
  disableUsers: users('disable'),
  recoverDisabled: users('disable'),
  enableUser: users('enable'),
  enableUsers: users('enable'),
  recoverEnabled: users('enable'),
  updateUserRole: users('updateRole'),
  recoverRole: users('updateRole'),
  reassignUser: userReassigned,
  generateToken: signedIn('password'),
  signInToApp: signedIn('app'),
  continueToApp: signedIn('app'),
  linkIdentity: several(users('updateRole'), signedIn('provider')),
  createRole: roles('add'),
  updateRole: roles('update'),
  deleteRole: roles('delete'),
  setRolePrivileges: roles('setPrivileges'),
  createCollaboration: collaborations('add'),
  updateCollaboration: collaborations('update'),
  deleteCollaboration: collaborations('delete'),
  addWorkspace: workspaces('addWorkspace'),
  updateWorkspace: workspaces('updateWorkspace'),
  deleteWorkspace: workspaces('deleteWorkspace'),
  linkWorkspaceGroup: groupLinks('updatePortalGroupLink'),
  unlinkWorkspaceGroup: groupLinks('removePortalGroupLink'),
  inviteParticipant: invitations('inviteParticipant'),
  refreshInvitation: invitations('refreshInvitation'),
  invalidateInvitation: invitations('invalidateInvitation'),
  importInvitationResponse: invitations('importInvitationResponse'),
  acceptCollaborationInvitation: invitationAccepted,
  removeParticipant: participants('removeParticipant'),
  updateParticipantAccessModes: participants('updateParticipantAccessModes'),
  removeParticipation: collaborationLeft,
  deactivateUnread: webhooks,
  overflowWebhook: webhooks,
  settleDelivery: webhooks,
} as const satisfies { readonly [Id in CommandId]?: Cause }

type Reported = keyof typeof causes

/** Operations that tell nothing, by the reason (chosen). */
export const silent = {
  'ends of sign-ins, and tokens': [
    'signOut',
    'endProviderSessions',
    'issueTokens',
    'revokeToken',
    'endSession',
    'endSessions',
    'recoverSessions',
  ],
  passwords: [
    'choosePassword',
    'changePassword',
    'resetUser',
    'expirePassword',
    'makePasswordLink',
    'mailPasswordLink',
    'recoverPassword',
    'recoverByLink',
  ],
  'apps of programs': [
    'registerApp',
    'updateApp',
    'confirmApp',
    'unregisterApp',
    'renewAppSecret',
    'endFormerAppSecret',
    'registerOperatorApp',
    'renewOperatorSecret',
    'switchOperatorApp',
    'unregisterOperatorApp',
  ],
  'the operator, before or beside an organization': [
    'createPortal',
    'renewPortalKeys',
    'resealPortalKeys',
    'completeFirstRun',
    'renewFirstRun',
    'eraseUser',
    'eraseNames',
    'endErasure',
  ],
  'work that is not published': [
    'createPortalSchemaDraft',
    'updatePortalSchemaDraft',
    'deletePortalSchemaDraft',
    'createGroupSchemaDraft',
    'updateGroupSchemaDraft',
    'deleteGroupSchemaDraft',
    'createPortalSchemaTemplate',
    'deletePortalSchemaTemplate',
  ],
  'messages between people': [
    'declineGroupInvitation',
    'declineGroupApplication',
    'deleteNotification',
    'markNotificationsRead',
    'markReminded',
  ],
  'changes nothing': [
    'moveItem',
    'validateCollaborationInvitation',
    'validateInvitationResponse',
    'exportInvitationResponse',
    'recordRefusal',
  ],
  'webhooks themselves': [
    'createWebhook',
    'updateWebhook',
    'activateWebhook',
    'deactivateWebhook',
    'deleteWebhook',
    'updateWebhookSettings',
    'redeliverWebhookDelivery',
    'recoverWebhookDeliveries',
    'rotateWebhookSecret',
    'pullWebhookDeliveries',
    'ackWebhookDeliveries',
    'claimDeliveries',
    'noteServing',
  ],
  'each step of a job reports': ['transferItems', 'changeItems', 'importItemCategories', 'revertItemRun', 'cancelJob'],
  housekeeping: [
    'leaseJob',
    'recordFailedStep',
    'sumUpItemCounts',
    'putItemCounts',
    'putCoverage',
    'putChecksums',
    'indexLog',
    'endOldDrafts',
    'removeExpiredTokens',
    'removeOldGroupRequests',
    'removeOldJobs',
    'removeOldCoverage',
    'removeOldEntries',
    'removeOldSchemaVersions',
    'removeEndedLinks',
    'removeOldDeliveries',
  ],
} as const satisfies Readonly<Record<string, readonly Exclude<CommandId, Reported>[]>>

/** Cause of an operation; undefined for one that is silent. */
export function findCause(operation: CommandId): Cause | undefined {
  return (causes as { readonly [Id in CommandId]?: Cause })[operation]
}
