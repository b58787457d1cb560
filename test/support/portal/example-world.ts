import { readConfig } from '../../../src/config.ts'
import type { PortalKey } from '../../../src/directory/portal.ts'
import { hashOfFirstRun } from '../../../src/first-run/operations.ts'
import type { Example } from '../../../src/http/endpoints/endpoint.ts'
import { registration } from '../../../src/http/examples/apps.ts'
import {
  annasAgent,
  annasPassword,
  annasSessionId,
  annasToken,
  exampleApp,
  exampleCode,
  exampleFirstRunSecret,
  exampleIds,
  exampleRoot,
  exampleSchema,
  exampleSecret,
  exampleTime,
  generatedIds,
  guestRoot,
} from '../../../src/http/examples/examples.ts'
import {
  givenInvitation,
  givenResponse,
  guestContact,
  guestPublicKey,
  hostPublicKey,
} from '../../../src/http/examples/handshake.ts'
import { lakes, rivers } from '../../../src/http/examples/items.ts'
import { catalogue, deliveryAnswer, examplePayload } from '../../../src/http/examples/webhooks.ts'
import type { Dependencies } from '../../../src/operations/dependencies.ts'
import { random } from '../../../src/secrets/random.ts'
import type { Seal } from '../../../src/secrets/sealed.ts'
import { signInToApp } from './oauth.ts'
import { type Body, Client, openTestServer, type Parameters, TestPortal, usualSettings } from './portal.ts'
import { addDeliveries } from './webhooks.ts'

/** The world of the documented examples, in which everything has the ids and keys that the examples say. */
export interface ExampleWorld extends AsyncDisposable {
  readonly portal: TestPortal
  readonly admin: Client
  readonly anna: Client
  /** The administrator of the guest, on a server of its own. */
  readonly guest: Client
  /** Scripts the drawn values of an example's call again, and drops those that were not drawn: for one more call. */
  drawAgain(): void
}

/** Values that are drawn next, in this order. */
interface Draws {
  readonly ids: string[]
  readonly shortIds: string[]
  readonly tokens: string[]
}

/** Draws what is scripted. Nothing scripted: ids that no example shows, and never the same twice. */
function scriptedRandom(draws: Draws): Dependencies['random'] {
  let drawn = 0
  const next = () => {
    drawn += 1
    return drawn
  }
  return {
    id: () => draws.ids.shift() ?? next().toString(16).padStart(32, '0'),
    shortId: () => draws.shortIds.shift() ?? next().toString(36).padStart(16, '0'),
    token: () => draws.tokens.shift() ?? next().toString(36).padStart(43, '0'),
    hashToken: random.hashToken,
  }
}

/** The private keys of the examples are no secrets. */
const hostKey = { ...hostPublicKey, d: Buffer.from('The example key of the host only').toString('base64url') }
const guestKey = { ...guestPublicKey, d: Buffer.from('The example key of a guest alone').toString('base64url') }

interface Organization {
  readonly name: string
  readonly root: string
  readonly key: { readonly d: string }
  readonly draws: Draws
}

/** A server with one organization, at the time of the examples. */
async function openOrganization({ name, root, key, draws }: Organization): Promise<TestPortal> {
  const config = readConfig({ ...usualSettings, ORGANIZATION_NAME: name, PUBLIC_URL: root })
  const clock = { now: exampleTime }
  const { d, ...publicKey } = key
  const createKey = async (seal: Seal): Promise<PortalKey> => ({
    publicKey: JSON.stringify(publicKey),
    sealedPrivateKey: await seal.seal(JSON.stringify(key)),
  })
  const world = { now: () => clock.now, random: scriptedRandom(draws), createKey }
  return new TestPortal(await openTestServer(config, world), clock)
}

function requireSuccess(path: string, answer: Body): void {
  if (answer.error) throw new Error(`${path}: ${JSON.stringify(answer)}`)
}

/** A world without any sign-in yet, where the link to the first run is the one of the examples. */
async function untouchedWorld(portal: TestPortal): Promise<ExampleWorld> {
  const { storage, random, now } = portal.server.dependencies
  await storage.write({
    operation: 'renewFirstRun',
    input: { linkHash: hashOfFirstRun(random, exampleFirstRunSecret) },
    tokenHash: undefined,
    now: now(),
    problems: [],
    origin: { address: 'localhost', target: '/portals', requestId: random.id() },
  })
  const { anonymous } = portal
  return {
    portal,
    admin: anonymous,
    anna: anonymous,
    guest: anonymous,
    drawAgain() {},
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  }
}

/** Builds the world by the operations themselves, up to the moment of the example. */
export async function openExampleWorld(moment?: Example['moment']): Promise<ExampleWorld> {
  const ids = exampleIds
  const draws: Draws = { ids: [ids.adminId], shortIds: [ids.portalId], tokens: [] }
  const portal = await openOrganization({
    name: 'Ministry of Maps',
    root: exampleRoot,
    key: hostKey,
    draws,
  })
  if (moment === 'untouched') return untouchedWorld(portal)
  const admin = await portal.admin()
  const guestPortal = await openOrganization({
    name: 'Institute of Glaciers',
    root: guestRoot,
    key: guestKey,
    draws: { ids: [], shortIds: [ids.participantId], tokens: [] },
  })
  const guest = await guestPortal.admin()

  /** Scripts the ids of the next request: its own comes before those of what it makes. */
  function drawInRequest(...made: readonly string[]): void {
    draws.ids.push('f'.repeat(32), ...made)
  }

  /** An operation as the administrator; `made` are the ids that it draws. */
  async function make(path: string, parameters: Parameters, ...made: readonly string[]): Promise<void> {
    drawInRequest(...made)
    requireSuccess(path, await admin.post(path, parameters))
  }

  const home = `/portals/${ids.portalId}`
  const people = [{ username: 'anna', password: annasPassword, fullname: 'Anna Atlas', email: 'anna@maps.example.com' }]
  await make(`${home}/invite`, { invitationList: { invitations: people } }, ids.userId)
  await make('/community/createGroup', { title: 'Land cover', tags: 'land,forest', access: 'org' }, ids.groupId)
  await make(`/community/groups/${ids.groupId}/addUsers`, { users: 'anna' })
  await make(`/community/groups/${ids.groupId}/assignCategorySchema`, { categorySchema: exampleSchema })
  const open = { title: 'Field trips', access: 'org', isInvitationOnly: 'false' }
  await make('/community/createGroup', open, ids.openGroupId)
  await make('/community/createGroup', { title: 'Sea levels', access: 'org' }, ids.closedGroupId)
  const requests = [ids.groupInvitationId, ids.notificationId]
  await make(`/community/groups/${ids.openGroupId}/invite`, { users: 'anna' }, ...requests)
  draws.shortIds.push(ids.roleId)
  await make(`${home}/createRole`, { name: 'Cataloguer', description: 'Looks after the categories' })
  const privileges = { privileges: ['portal:admin:updateItemCategorySchema'] }
  await make(`${home}/roles/${ids.roleId}/setPrivileges`, { privileges })
  await make(`${home}/assignCategorySchema`, { categorySchema: exampleSchema })
  const template = { name: ids.templateName, title: 'Land cover', from: `group:${ids.groupId}` }
  await make(`${home}/categorySchemaTemplates`, template)
  await make('/content/users/admin/addItem', lakes, ids.itemId)
  await make(`/content/items/${ids.itemId}/share`, { org: 'true', groups: ids.groupId })
  await make('/content/users/admin/addItem', rivers, ids.secondItemId)
  const collaboration = {
    name: 'Alpine data',
    description: 'Maps of the Alps, shared by those who make them',
    workspaceName: 'Land cover of the Alps',
    portalGroupId: ids.groupId,
    accessMode: 'sendAndReceive',
    hostContactFirstname: 'Anna',
    hostContactLastname: 'Atlas',
    hostContactEmailAddress: 'anna@maps.example.com',
  }
  await make(`${home}/createCollaboration`, collaboration, ids.collaborationId, ids.workspaceId)
  const alpine = `${home}/collaborations/${ids.collaborationId}`
  const trails = { collaborationWorkspaceName: 'Trails of the Alps', accessMode: 'send' }
  await make(`${alpine}/addWorkspace`, trails, ids.secondWorkspaceId)
  const invitation = {
    guestPortalUrl: guestRoot,
    collaborationWorkspacesParticipantConfigJSON: [{ [ids.workspaceId]: 'send' }],
  }
  await make(`${alpine}/inviteParticipant`, invitation, ids.invitationId)
  if (moment === 'registered' || moment === 'renewed') {
    draws.tokens.push(exampleSecret)
    draws.shortIds.push(ids.clientId)
    await make('/oauth2/registerApp', registration)
  }
  if (moment === 'renewed') await make(`/oauth2/apps/${ids.clientId}/renewSecret`, {})
  if (moment === 'accepted' || moment === 'imported') {
    const path = '/portals/self/acceptCollaborationInvitation'
    requireSuccess(path, await guest.post(path, { ...givenInvitation.parameters, ...guestContact }))
  }
  if (moment === 'imported') await make(`${alpine}/importInvitationResponse`, givenResponse.parameters)

  await make('/content/changeItems', { items: ids.itemId, change: '{"tags":{"add":["water"]}}' }, ids.runId)
  await make(`/portals/self/jobs/${ids.runId}/cancel`, {})
  await make('/community/users/anna/transferItems', { targetUsername: 'admin' }, ids.jobId)
  const drafts = [
    [`${home}/categorySchema/drafts`, ids.draftId],
    [`/community/groups/${ids.groupId}/categorySchema/drafts`, ids.groupDraftId],
  ] as const
  for (const [path, id] of drafts) {
    await make(path, { name: 'New regions', categorySchema: exampleSchema }, id)
    await make(`${path}/${id}/propose`, { note: 'Please look at Asia.' })
  }

  await make(`${home}/webhooks/createWebhook`, catalogue, ids.webhookId)
  await addDeliveries(portal, {
    id: ids.deliveryId,
    webhookId: ids.webhookId,
    eventId: ids.eventId,
    path: deliveryAnswer.events[0],
    payload: examplePayload,
    attempts: 1,
    createdAt: exampleTime,
  })

  draws.tokens.push(annasToken)
  const credentials = { username: 'anna', password: annasPassword }
  const agent = { 'user-agent': annasAgent }
  await portal.postForm('/generateToken', credentials, agent)
  const anna = new Client(portal, annasToken, 'anna')
  const join = `/community/groups/${ids.closedGroupId}/join`
  drawInRequest(ids.secondNotificationId)
  requireSuccess(join, await anna.post(join, {}))

  draws.tokens.push(exampleCode)
  // The page has an id of its own, before the form that is sent from it.
  drawInRequest()
  drawInRequest(annasSessionId)
  await signInToApp(portal, { client_id: exampleApp }, credentials, agent)

  function drawAgain(): void {
    for (const left of Object.values(draws)) left.length = 0
    drawInRequest(generatedIds.id)
    draws.shortIds.push(generatedIds.shortId)
    draws.tokens.push(generatedIds.token, generatedIds.refreshToken)
  }

  drawAgain()
  return {
    drawAgain,
    portal,
    admin,
    anna,
    guest,
    async [Symbol.asyncDispose]() {
      await portal[Symbol.asyncDispose]()
      await guestPortal[Symbol.asyncDispose]()
    },
  }
}
