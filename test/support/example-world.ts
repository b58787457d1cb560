import { readConfig } from '../../src/config.ts'
import {
  annasPassword,
  annasToken,
  drawn,
  exampleIds,
  exampleRoot,
  exampleSchema,
  exampleTime,
  guestRoot,
} from '../../src/http/examples.ts'
import type { Ports } from '../../src/http/ports.ts'
import { random } from '../../src/secrets/random.ts'
import { openServer } from '../../src/server.ts'
import { adminPassword, type Client, cheapHash, type Parameters, TestPortal } from './portal.ts'

/** The world of the documented examples, in which everything has the ids that the examples say. */
export interface ExampleWorld extends AsyncDisposable {
  readonly portal: TestPortal
  readonly admin: Client
  readonly anna: Client
}

/** What is drawn next, in this order. */
interface Draws {
  readonly ids: string[]
  readonly shortIds: string[]
  readonly tokens: string[]
}

/** Draws what is scripted. Nothing scripted: ids that no example shows, and never the same twice. */
function scriptedRandom(draws: Draws): Ports['random'] {
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

/** Builds the world by the operations themselves, at the time of the examples. */
export async function openExampleWorld(): Promise<ExampleWorld> {
  const ids = exampleIds
  const draws: Draws = { ids: [ids.adminId], shortIds: [ids.portalId], tokens: [] }
  const config = readConfig({
    DATABASE_URL: 'file::memory:',
    ADMIN_PASSWORD: adminPassword,
    ORGANIZATION_NAME: 'Ministry of Maps',
    PUBLIC_URL: exampleRoot,
    LOG_LEVEL: 'silent',
  })
  const clock = { now: exampleTime }
  const surroundings = { now: () => clock.now, random: scriptedRandom(draws), hashCost: cheapHash }
  const portal = new TestPortal(await openServer(config, surroundings), clock)
  const admin = await portal.admin()

  /** Scripts the ids of the next request: its own comes before those of what it makes. */
  function drawInRequest(...made: readonly string[]): void {
    draws.ids.push('f'.repeat(32), ...made)
  }

  /** An operation as the administrator; `made` are the ids that it draws. */
  async function make(path: string, parameters: Parameters, ...made: readonly string[]): Promise<void> {
    drawInRequest(...made)
    const answer = await admin.post(path, parameters)
    if (answer.error) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  }

  const home = `/portals/${ids.portalId}`
  const people = [{ username: 'anna', password: annasPassword, fullname: 'Anna Atlas', email: 'anna@maps.example.com' }]
  await make(`${home}/invite`, { invitationList: { invitations: people } }, ids.userId)
  await make('/community/createGroup', { title: 'Land cover', tags: 'land,forest', access: 'org' }, ids.groupId)
  await make(`/community/groups/${ids.groupId}/addUsers`, { users: 'anna' })
  await make(`/community/groups/${ids.groupId}/assignCategorySchema`, { categorySchema: exampleSchema })
  const open = { title: 'Field trips', access: 'org', isInvitationOnly: 'false' }
  await make('/community/createGroup', open, ids.openGroupId)
  draws.shortIds.push(ids.roleId)
  await make(`${home}/createRole`, { name: 'Cataloguer', description: 'Looks after the categories' })
  const privileges = { privileges: ['portal:admin:updateItemCategorySchema'] }
  await make(`${home}/roles/${ids.roleId}/setPrivileges`, { privileges })
  await make(`${home}/assignCategorySchema`, { categorySchema: exampleSchema })
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
  const invitation = {
    guestPortalUrl: guestRoot,
    collaborationWorkspacesParticipantConfigJSON: [{ [ids.workspaceId]: 'send' }],
  }
  await make(`${home}/collaborations/${ids.collaborationId}/inviteParticipant`, invitation, ids.invitationId)

  draws.tokens.push(annasToken)
  const anna = await portal.signIn('anna', annasPassword)

  drawInRequest(drawn.id)
  draws.shortIds.push(drawn.shortId)
  draws.tokens.push(drawn.token)
  return { portal, admin, anna, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}
