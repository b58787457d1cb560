import { allPrivileges, type Privilege } from '../../../src/call/privilege.ts'
import { RewindableDatabase } from '../databases/rewindable-database.ts'
import { type Hosted, hostForGuest } from './hosted.ts'
import { outOfBand, signInToApp } from './oauth.ts'
import { adminPassword, type Client, type Parameters, type TestPortal } from './portal.ts'
import { addDeliveries } from './webhooks.ts'

/** Kinds of callers. Those without a token that counts come first. */
export const callers = [
  'anonymous',
  'unknownToken',
  /** These two were an administrator's. */
  'expiredToken',
  'revokedToken',
  /** An administrator until then. */
  'disabledUser',
  /** The administrator of another organization. */
  'outsider',
  'viewer',
  'user',
  'publisher',
  /** A custom role with exactly the needed privileges. */
  'holder',
  /** A custom role with every privilege but the needed one. */
  'lacking',
  /** A custom role with every privilege there is: still no default administrator. */
  'everything',
  'administrator',
  /** Owner of the groups; users otherwise. */
  'owner',
  'manager',
  'member',
  /** An app that sees what the organization shares, by a token of its own. */
  'app',
  /** An app with every privilege there is. */
  'mightyApp',
] as const
export type Caller = (typeof callers)[number]

export const everyPrivilege = allPrivileges

/** The privileges of the custom roles that a case is tried with. */
export interface Wanted {
  readonly holder: readonly Privilege[]
  readonly lacking: readonly Privilege[]
}

/** Resources of the organization that all callers call about. */
export interface Fixture {
  readonly portalId: string
  /** The outsider's organization. */
  readonly otherPortalId: string
  readonly groups: Readonly<Record<'private' | 'org' | 'public', string>>
  /** Id of the administrator's job: a transfer of the target's items. */
  readonly jobId: string
  /** A run of the owner that is cancelled. */
  readonly runId: string
  /** Entry of the log of a change of the public item. */
  readonly entryId: string
  /** The user called `user` is invited to the public group, and notified of it; the target has asked to join each group. */
  readonly groupInvitationId: string
  readonly notificationId: string
  /** The owner's: `shared` with the private group, and the others by their level. */
  readonly items: Readonly<Record<'private' | 'shared' | 'org' | 'public', string>>
  /** The owner's, of type Application: for one, no app is registered. */
  readonly applications: Readonly<Record<'free' | 'registered', string>>
  /** Client id of the app whose secret is being renewed. */
  readonly clientId: string
  /** A custom role that allows nothing and that no user has. */
  readonly roleId: string
  /** Drafts that are proposed, of the organization and of each group. */
  readonly drafts: Readonly<Record<'portal' | 'private' | 'org' | 'public', string>>
  /** A webhook of the organization and one of the outsider's, each with a delivery. */
  readonly hooks: Readonly<Record<'ours' | 'theirs', HookIds>>
  /** A template of the organization. */
  readonly templateName: string
  /** Collaborations that the organization hosts, with the outsider's organization as guest. */
  readonly ours: Hosted
  /** Collaborations that the outsider's organization hosts, with the organization as guest. */
  readonly theirs: Hosted
  /** A token that no caller uses. */
  readonly spareToken: string
  /** Refresh token of the user of the spare token. */
  readonly spareRefreshToken: string
}

interface HookIds extends Readonly<Record<string, string>> {
  readonly webhookId: string
  readonly deliveryId: string
}

/** Users whom others act upon: one like any other, two with other profiles, and a second administrator. */
export const targets = { user: 'target', public: 'herald', private: 'hermit', administrator: 'chief' } as const

interface Actor {
  readonly token: string | undefined
  readonly username: string
}

/** One organization with everybody in it, on a database that goes back to how it began. */
export class Actors implements AsyncDisposable {
  readonly portal: TestPortal
  readonly database: RewindableDatabase
  readonly fixture: Fixture
  readonly #actors: ReadonlyMap<string, Actor>

  constructor(database: RewindableDatabase, fixture: Fixture, actors: ReadonlyMap<string, Actor>) {
    this.portal = database.portal
    this.database = database
    this.fixture = fixture
    this.#actors = actors
  }

  /** The caller; for custom roles, the one with the privileges that are wanted. */
  find(caller: Caller, wanted: Wanted): Actor {
    const name = caller === 'holder' || caller === 'lacking' ? keyOf(wanted[caller]) : caller
    const actor = this.#actors.get(name)
    if (!actor) throw new Error(`There is no actor for ${caller}.`)
    return actor
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database[Symbol.asyncDispose]()
  }
}

function keyOf(privileges: readonly Privilege[]): string {
  return `custom ${privileges.toSorted().join(' ')}`
}

/** Opens a portal with all callers and the resources that they call about; `wanted` says which custom roles are needed. */
export async function openActors(access: 'private' | 'public', wanted: readonly Wanted[]): Promise<Actors> {
  const database = await RewindableDatabase.open()
  const { portal } = database
  const admin = await portal.admin()
  const actors = new Map<string, Actor>([
    ['anonymous', { token: undefined, username: targets.user }],
    ['unknownToken', { token: 'A'.repeat(43), username: targets.user }],
    ['administrator', { token: admin.token, username: 'admin' }],
  ])
  const add = (name: string, { token, username = name }: Client) => actors.set(name, { token, username })

  add('viewer', await admin.invite('viewer', 'org_viewer'))
  add('publisher', await admin.invite('publisher', 'org_publisher'))
  for (const name of ['user', 'owner', 'manager', 'member']) add(name, await admin.invite(name))
  for (const profile of ['public', 'private'] as const) {
    const actor = await admin.invite(targets[profile])
    await done(actor, `/community/users/${targets[profile]}/update`, { access: profile })
  }
  await admin.invite(targets.administrator, 'org_admin')
  add('everything', await admin.invite('everything', await admin.createRole('everything', everyPrivilege)))
  for (const [key, actor] of await withPrivileges(admin, wanted)) add(key, actor)
  // Later, so that an anonymous caller's own organization is the first one.
  portal.clock.now += 1
  const outsider = await portal.otherOrganization()
  add('outsider', outsider)

  const fixture = await makeFixture(portal, admin, outsider)
  actors.set('app', await makeApp(admin))
  actors.set('mightyApp', await makeApp(admin, everyPrivilege))
  if (access === 'public') await done(admin, '/portals/self/update', { access })

  const retired = await admin.invite('retired', 'org_admin')
  await done(admin, '/community/users/retired/disable')
  add('disabledUser', retired)
  const revoked = await portal.admin()
  await done(revoked, '/oauth2/revokeToken', { auth_token: revoked.token })
  add('revokedToken', revoked)
  const { token } = await portal.anonymous.post('/generateToken', {
    username: 'admin',
    password: adminPassword,
    expiration: 1,
  })
  actors.set('expiredToken', { token, username: 'admin' })
  portal.clock.now += 2 * 60_000
  await database.keep()
  return new Actors(database, fixture, actors)
}

/** A user for each custom role that is wanted, invited together. */
async function withPrivileges(
  admin: Client,
  wanted: readonly Wanted[],
): Promise<readonly (readonly [string, Client])[]> {
  const lists = new Map(wanted.flatMap(({ holder, lacking }) => [holder, lacking]).map((list) => [keyOf(list), list]))
  const invitations: { username: string; role: string; password: string }[] = []
  for (const privileges of lists.values()) {
    const username = `custom${invitations.length}`
    const role = await admin.createRole(username, privileges)
    invitations.push({ username, role, password: adminPassword })
  }
  const answer = await admin.post('/portals/self/invite', { invitationList: { invitations } })
  if (answer.notInvited?.length !== 0) throw new Error(`The users were not made: ${JSON.stringify(answer)}`)
  // One after the other: passwords that wait long are refused.
  const users: (readonly [string, Client])[] = []
  for (const [position, key] of [...lists.keys()].entries()) {
    users.push([key, await admin.portal.signIn(invitations[position]!.username, adminPassword)])
  }
  return users
}

async function makeFixture(portal: TestPortal, admin: Client, outsider: Client): Promise<Fixture> {
  const owner = await portal.signIn('owner', adminPassword)
  const { id: portalId } = await admin.get('/portals/self')
  const { id: otherPortalId } = await outsider.get('/portals/self')
  const categorySchema = { categorySchema: [{ title: 'Region' }] }
  for (const one of [admin, outsider]) await done(one, '/portals/self/assignCategorySchema', { categorySchema })
  const templateName = 'regions'
  await done(admin, '/portals/self/categorySchemaTemplates', { name: templateName, title: 'Regions', from: 'org' })

  const target = await admin.invite(targets.user)
  const openGroup = async (access: string) => {
    const { id } = await owner.createGroup('Maps', { access: 'org' })
    await done(target, `/community/groups/${id}/join`)
    await done(owner, `/community/groups/${id}/update`, { access, isInvitationOnly: 'false' })
    await owner.post(`/community/groups/${id}/addUsers`, { users: 'member', admins: 'manager' })
    await done(owner, `/community/groups/${id}/assignCategorySchema`, { categorySchema })
    return id
  }
  const groups = {
    private: await openGroup('private'),
    org: await openGroup('org'),
    public: await openGroup('public'),
  }

  await done(owner, `/community/groups/${groups.public}/invite`, { users: 'user' })
  const user = await portal.signIn('user', adminPassword)
  const { userInvitations } = await user.get('/community/users/user/invitations')
  const { notifications } = await user.get('/community/users/user/notifications')
  const addItem = async (sharing: Parameters, type = 'Web Map') => {
    const { id } = await owner.post('/content/users/owner/addItem', { title: 'Lakes', type, text: '{}' })
    await owner.post(`/content/users/owner/items/${id}/share`, sharing)
    return id as string
  }
  const items = {
    private: await addItem({}),
    shared: await addItem({ groups: groups.private }),
    org: await addItem({ org: 'true' }),
    public: await addItem({ everyone: 'true' }),
  }

  const applications = {
    free: await addItem({ org: 'true' }, 'Application'),
    registered: await addItem({ org: 'true' }, 'Application'),
  }
  const { client_id: clientId } = await owner.post('/oauth2/registerApp', { itemId: applications.registered })
  await owner.post(`/oauth2/apps/${clientId}/renewSecret`)

  const drafts = {
    portal: await proposeDraft(admin, '/portals/self'),
    private: await proposeDraft(owner, `/community/groups/${groups.private}`),
    org: await proposeDraft(owner, `/community/groups/${groups.org}`),
    public: await proposeDraft(owner, `/community/groups/${groups.public}`),
  }
  const roleId = await admin.createRole('Cataloguer', [])
  const { jobId } = await admin.post(`/community/users/${targets.user}/transferItems`, { targetUsername: 'owner' })
  const run = await owner.post('/content/changeItems', { items: items.public, change: '{"tags":{"add":["lake"]}}' })
  await owner.post(`/portals/self/jobs/${run.jobId}/cancel`)
  const { history } = await owner.get(`/content/items/${items.public}/history`)
  const host = { client: admin, portalId, groupId: groups.public }
  const { id: groupId } = await outsider.createGroup('Seas', { access: 'public' })
  const other = { client: outsider, portalId: otherPortalId, groupId }
  return {
    portalId,
    otherPortalId,
    groups,
    jobId,
    runId: run.jobId,
    entryId: history[0].id,
    groupInvitationId: userInvitations[0].id,
    notificationId: notifications[0].id,
    items,
    applications,
    clientId,
    roleId,
    drafts,
    hooks: { ours: await makeHook(admin), theirs: await makeHook(outsider) },
    templateName,
    ours: await hostForGuest(host, other),
    theirs: await hostForGuest(other, host),
    spareToken: target.token ?? '',
    spareRefreshToken: await refreshTokenOf(portal, targets.user),
  }
}

/** A webhook that asks for nothing that happens here, with a delivery that nothing has fetched. */
async function makeHook(client: Client): Promise<HookIds> {
  const given = { name: 'Lakes', url: 'pull:', events: '/roles/none' }
  const { id: webhookId } = await client.post('/portals/self/webhooks/createWebhook', given)
  const deliveryId = `msg_${webhookId}`
  await addDeliveries(client.portal, { id: deliveryId, webhookId })
  return { webhookId, deliveryId }
}

async function proposeDraft(client: Client, path: string): Promise<string> {
  const given = { name: 'Next', categorySchema: { categorySchema: [{ title: 'Region' }] } }
  const { draftId } = await client.post(`${path}/categorySchema/drafts`, given)
  await done(client, `${path}/categorySchema/drafts/${draftId}/propose`)
  return draftId
}

/** An app of the administrator, which acts as itself. */
async function makeApp(admin: Client, privileges?: readonly Privilege[]): Promise<Actor> {
  const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Robot', type: 'Application' })
  const given = privileges ? { privileges: JSON.stringify(privileges) } : {}
  const { client_id, client_secret } = await admin.post('/oauth2/registerApp', { itemId, appType: 'server', ...given })
  const asked = { client_id, client_secret, grant_type: 'client_credentials', expiration: '20160' }
  const { access_token } = await admin.portal.anonymous.post('/oauth2/token', asked)
  return { token: access_token, username: `app:${client_id}` }
}

async function refreshTokenOf(portal: TestPortal, username: string): Promise<string> {
  const app = { client_id: 'arcgisonline', redirect_uri: outOfBand }
  const code = await signInToApp(portal, app, { username, password: adminPassword })
  const tokens = await portal.anonymous.post('/oauth2/token', { ...app, grant_type: 'authorization_code', code })
  return tokens.refresh_token
}

async function done(client: Client, path: string, parameters: Parameters = {}): Promise<void> {
  const answer = await client.post(path, parameters)
  if (answer.success !== true) throw new Error(`${path} was refused: ${JSON.stringify(answer)}`)
}
