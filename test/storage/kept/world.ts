import type { SchemaOwner } from '../../../src/categories/store.ts'
import type { Parameters } from '../../support/portal/portal.ts'
import { type Answer, type Callers, password } from './callers.ts'

/** Versions assigned to an owner of a category schema, oldest first; without a schema where it was deleted. */
export interface Assigned {
  readonly owner: SchemaOwner
  readonly versions: readonly { readonly author: string; readonly schema: object | null }[]
}

/** Facts that are needed to read a world, and to go on with it. */
export interface World {
  readonly assigned: readonly Assigned[]
  readonly groupIds: readonly string[]
  readonly itemIds: readonly string[]
  readonly collaborationIds: readonly string[]
  /** Response to the invitation to the second collaboration: it is not imported yet. */
  readonly response: string
}

const tree = (title: string, ...titles: readonly string[]) => ({
  title,
  categories: titles.map((one) => ({ title: one })),
})
const waters = { categorySchema: [tree('Categories', 'Water', 'Soil')] }
const fewer = { categorySchema: [tree('Categories', 'Water', 'Misc')] }
const rich = {
  categorySchema: [
    {
      title: 'Région “Ost” 東',
      description: 'İstanbul, ﷽ and a 🗺️',
      categories: [{ title: 'Alps', categories: [{ title: 'West', categories: [{ title: 'Vanoise' }] }] }],
    },
    tree('Categories', 'Water', 'Soil', 'Misc'),
  ],
}

/** Fills a server whose two organizations have the administrators `admin` and `outsider`, by what the oldest kept program had. */
export async function fillWorld(callers: Callers): Promise<World> {
  await addPeople(callers)
  const { id: portalId } = await callers.read('admin', '/portals/self')
  const organization = new History(callers, { kind: 'portal', portalId })
  await organization.assign('admin', rich, waters, waters)

  const maps = await createGroup(callers, 'anna', 'Maps of “Zürich” 地図', { access: 'org', snippet: 'All maps' })
  const mapsHistory = new History(callers, { kind: 'group', groupId: maps })
  const years = Array.from({ length: 10 }, (_, many) => ({
    categorySchema: [tree('Years', ...Array.from({ length: 1 + (many % 4) }, (_, year) => String(1900 + year)))],
  }))
  await mapsHistory.assign('anna', rich, rich, null, ...years, years.at(-1)!)
  const atlas = await createGroup(callers, 'bert', 'Atlas', { access: 'public', isInvitationOnly: true })
  const atlasHistory = new History(callers, { kind: 'group', groupId: atlas })
  await atlasHistory.assign('bert', waters, rich, null)
  const gone = await createGroup(callers, 'anna', 'Gone', {})
  const goneHistory = new History(callers, { kind: 'group', groupId: gone })
  await goneHistory.assign('anna', rich, fewer)
  await callers.do('anna', `/community/groups/${gone}/delete`)

  await addMembers(callers, maps, atlas)
  const itemIds = await addItems(callers, maps, atlas)
  await organization.assign('eva', fewer)
  await organization.assign('admin', null)
  await organization.assign('eva', rich)
  await mapsHistory.assign('eva', fewer)
  // Refusals, which are in the audit too.
  await callers.ask('carl', `/community/groups/${maps}/assignCategorySchema`, { categorySchema: rich })
  await callers.ask('anna', `/community/groups/${maps}/assignCategorySchema`, {
    categorySchema: { categorySchema: [] },
  })
  await moveAndRestore(callers, organization)
  return {
    assigned: [organization, mapsHistory, atlasHistory, goneHistory],
    groupIds: [maps, atlas],
    itemIds,
    ...(await collaborate(callers, atlas)),
  }
}

class History implements Assigned {
  readonly owner: SchemaOwner
  readonly versions: { author: string; schema: object | null }[] = []
  readonly #callers: Callers

  constructor(callers: Callers, owner: SchemaOwner) {
    this.#callers = callers
    this.owner = owner
  }

  async assign(author: string, ...schemas: readonly (object | null)[]): Promise<void> {
    const { owner } = this
    const path = owner.kind === 'portal' ? '/portals/self' : `/community/groups/${owner.groupId}`
    for (const schema of schemas) {
      if (schema) await this.#callers.do(author, `${path}/assignCategorySchema`, { categorySchema: schema })
      else await this.#callers.do(author, `${path}/deleteCategorySchema`)
      this.note(author, schema)
    }
  }

  note(author: string, schema: object | null): void {
    this.versions.push({ author, schema })
  }
}

/** Changes that items follow, with comments, and one that is taken back. */
async function moveAndRestore(callers: Callers, organization: History): Promise<void> {
  const path = '/portals/self/categorySchema'
  const moved = { categorySchema: [rich.categorySchema[0]!, tree('Topics', 'Waters', 'Soil', 'Misc')] }
  const moves = [
    { from: '/Categories', to: '/Topics' },
    { from: '/Categories/Water', to: '/Topics/Waters' },
  ]
  await callers.do('admin', `${path}/plan`, { categorySchema: moved, moves })
  const words = { categorySchema: moved, moves, comment: 'Thèmes' }
  await callers.do('admin', '/portals/self/assignCategorySchema', words)
  organization.note('admin', moved)
  const cleared = { categorySchema: waters, vanishing: 'clear', comment: 'Too few' }
  await callers.do('eva', '/portals/self/assignCategorySchema', cleared)
  organization.note('eva', waters)
  const restored = organization.versions.length - 1
  await callers.do('admin', `${path}/versions/${restored}/restore`, { comment: 'Back' })
  organization.note('admin', moved)
}

async function addPeople(callers: Callers): Promise<void> {
  const { id: curator } = await callers.do('admin', '/portals/self/createRole', {
    name: 'Curator',
    description: 'Of maps',
  })
  const privileges = { privileges: ['portal:admin:updateItemCategorySchema', 'portal:user:joinGroup'] }
  await callers.do('admin', `/portals/self/roles/${curator}/setPrivileges`, { privileges })
  const roles = { anna: 'org_publisher', bert: 'org_user', carl: 'org_viewer', dora: 'org_user', eva: curator }
  const invitations = Object.entries(roles).map(([username, role]) => {
    return { username, role, password, fullname: `${username} Müller`, email: `${username}@example.org` }
  })
  await callers.do('admin', '/portals/self/invite', { invitationList: { invitations } })
  await callers.do('anna', '/community/users/anna/update', {
    description: 'Draws maps.',
    tags: 'alps,lakes',
    access: 'org',
  })
  await callers.do('admin', '/community/users/dora/disable')
}

async function createGroup(callers: Callers, by: string, title: string, parameters: Parameters): Promise<string> {
  const words = { title, tags: 'atlas,maps', description: `${title}: old and new.`, ...parameters }
  return (await callers.do(by, '/community/createGroup', words)).group.id
}

/** Members of both kinds, an open invitation and an open application. */
async function addMembers(callers: Callers, maps: string, atlas: string): Promise<void> {
  await callers.do('anna', `/community/groups/${maps}/addUsers`, { users: 'bert,carl', admins: 'eva' })
  await callers.do('bert', `/community/groups/${atlas}/invite`, { users: 'anna', role: 'group_member' })
  await callers.do('eva', `/community/groups/${atlas}/join`)
}

async function addItems(callers: Callers, maps: string, atlas: string): Promise<string[]> {
  const add = async (title: string, parameters: Parameters): Promise<string> =>
    (await callers.do('anna', '/content/users/anna/addItem', { title, type: 'Web Map', tags: 'alps', ...parameters }))
      .id
  const ids = [
    await add('Alpine lakes', { categories: ['/Categories/Water'], text: { layers: ['Léman', '湖'] } }),
    await add('Soils of the Alps', {
      categories: ['/Categories/Soil', '/Categories/Water'],
      snippet: 'Brown',
      access: 'public',
    }),
    await add('Without categories', { type: 'Feature Service', url: 'https://example.org/FeatureServer' }),
  ]
  const deleted = await add('Deleted', { categories: ['/Categories/Soil'] })
  await callers.do('anna', `/content/users/anna/items/${deleted}/delete`)
  await callers.do('anna', '/content/users/anna/shareItems', { items: ids.slice(0, 2).join(), groups: maps })
  await callers.do('bert', `/community/groups/${atlas}/addUsers`, { users: 'carl' })
  const categorized = [{ [ids[0]!]: { categories: ['/Years/1900'] } }, { [ids[1]!]: { categories: ['/Years/1901'] } }]
  await callers.do('anna', `/content/groups/${maps}/updateCategories`, { items: categorized })
  await callers.do('anna', `/content/users/anna/items/${ids[2]}/protect`)
  return ids
}

/** Collaborations with `outsider`: one it takes part in, one it has answered to, one it is invited to, one it has left. */
async function collaborate(callers: Callers, groupId: string) {
  const host = (path: string, parameters?: Parameters) => callers.do('admin', `/portals/self${path}`, parameters)
  const guest = (path: string, parameters?: Parameters) => callers.do('outsider', `/portals/self${path}`, parameters)
  const [shared, answered, open, left] = [
    await createCollaboration(callers, 'Shared', groupId),
    await createCollaboration(callers, 'Answered', groupId),
    await createCollaboration(callers, 'Open', groupId),
    await createCollaboration(callers, 'Left', groupId),
  ] as const
  const respond = async (path: string, invitation: Answer): Promise<string> => {
    await guest('/acceptCollaborationInvitation', { invitationJSON: invitation, contactName: 'Olga' })
    return JSON.stringify(await guest(`${path}/exportInvitationResponse`))
  }
  const sharedFile = await shared.invite()
  await host(`${shared.path}/importInvitationResponse`, {
    invitationResponseJSON: await respond(shared.path, sharedFile),
  })
  const seas = await createGroup(callers, 'outsider', 'Seas', { access: 'public' })
  await guest(`${shared.path}/workspaces/${shared.workspaceId}/updatePortalGroupLink`, { portalGroupId: seas })
  await host(`${shared.path}/addWorkspace`, { collaborationWorkspaceName: 'Names of places' })
  const response = await respond(answered.path, await answered.invite())
  await open.invite()
  const taken = await open.invite('https://guest.example.org/portal')
  await host(`${open.path}/invitations/${taken.invitationRequest.id}/invalidate`)
  const renewed = await open.invite('https://other.example.org/portal')
  await host(`${open.path}/invitations/${renewed.invitationRequest.id}/refresh`)
  await host(`${left.path}/importInvitationResponse`, {
    invitationResponseJSON: await respond(left.path, await left.invite()),
  })
  const { id: guestId } = await callers.read('outsider', '/portals/self')
  await host(`${left.path}/participants/${guestId}/remove`)
  return { collaborationIds: [shared, answered, open, left].map(({ id }) => id), response }
}

async function createCollaboration(callers: Callers, name: string, portalGroupId: string) {
  const words = { name, workspaceName: 'Base maps', portalGroupId, description: `${name}.` }
  const { collaboration } = await callers.do('admin', '/portals/self/createCollaboration', words)
  const path = `/collaborations/${collaboration.id}`
  const { workspaces } = await callers.read('admin', `/portals/self${path}/workspaces`)
  const workspaceId: string = workspaces[0].id
  return {
    id: String(collaboration.id),
    path,
    workspaceId,
    async invite(guestPortalUrl?: string): Promise<Answer> {
      const { portalHostname } = await callers.read('admin', '/portals/self')
      return callers.do('admin', `/portals/self${path}/inviteParticipant`, {
        guestPortalUrl: guestPortalUrl ?? `https://${portalHostname}`,
        collaborationWorkspacesParticipantConfigJSON: [{ [workspaceId]: 'send' }],
      })
    },
  }
}
