import { countOf } from '../support/length.ts'
import { hostCollaboration } from '../support/portal/collaboration-host.ts'
import { Guest } from '../support/portal/handshake.ts'
import { type Client, startPortal, type TestPortal } from '../support/portal/portal.ts'
import { firstTag } from './models.ts'

/** Objects that clients work on concurrently. No two fixtures have anything in common. */
export interface Fixture {
  readonly owners: readonly Owner[]
  readonly invitations: readonly AnsweredInvitation[]
  readonly items: readonly TaggedItem[]
}

/** An item with two tags: its own, and one that updates write. */
export interface TaggedItem {
  readonly tag: string
  readonly path: string
  /** Token of its owner. */
  readonly token: string
}

/** A group or an organization, without a category schema. */
export interface Owner {
  readonly id: string
  readonly path: string
  /** Token of a user who may do everything with its schema. */
  readonly token: string
}

/** An invitation, and the guest's response to its file, which the host has not imported yet. */
export interface AnsweredInvitation {
  readonly id: string
  readonly path: string
  readonly collaborationPath: string
  readonly response: string
  /** Token of an administrator of the host. */
  readonly token: string
}

const groups = countOf({ sample: 4, long: 10 })
const organizations = countOf({ sample: 1, long: 2 })
const itemsOfFixture = 3

/** Makes fixtures in an empty database, through a server that is closed then. */
export async function createFixturesIn(
  environment: Readonly<Record<string, string>>,
  count: number,
  invitations: number,
): Promise<readonly Fixture[]> {
  await using portal = await startPortal({ environment })
  return await createFixtures(portal, count, invitations)
}

/** Makes fixtures, each with that many invitations. */
export async function createFixtures(
  portal: TestPortal,
  count: number,
  invitations: number,
): Promise<readonly Fixture[]> {
  portal.clock.now = Date.now()
  const admin = await portal.admin()
  const guest = new Guest(await portal.otherOrganization())
  const fixtures: Fixture[] = []
  while (fixtures.length < count) {
    const number = fixtures.length + 1
    const owners: Owner[] = []
    for (let group = 1; group <= groups; group += 1) owners.push(await makeGroup(admin, `Group ${number}.${group}`))
    for (let one = 1; one <= organizations; one += 1) owners.push(await makeOrganization(portal, `${number}.${one}`))
    const answered: AnsweredInvitation[] = []
    while (answered.length < invitations) answered.push(await inviteAndAnswer(portal, admin, guest))
    const items = await Promise.all(
      Array.from({ length: itemsOfFixture }, (_, item) => addItem(admin, `item ${number}.${item}`)),
    )
    fixtures.push({ owners, invitations: answered, items })
  }
  // A refresh within the millisecond of the invitation would give the same file.
  portal.clock.now += 1
  return fixtures
}

async function makeGroup(admin: Client, title: string): Promise<Owner> {
  const { id } = await admin.createGroup(title)
  return { id, path: `/community/groups/${id}`, token: admin.token! }
}

async function addItem(admin: Client, tag: string): Promise<TaggedItem> {
  const { id } = await admin.post('/content/users/admin/addItem', {
    title: tag,
    type: 'Web Map',
    tags: `${tag},${firstTag}`,
  })
  return { tag, path: `/content/users/admin/items/${id}`, token: admin.token! }
}

async function makeOrganization(portal: TestPortal, number: string): Promise<Owner> {
  const admin = await portal.otherOrganization(`Organization ${number}`, `admin${number}`)
  const { id } = await admin.get('/portals/self')
  return { id, path: `/portals/${id}`, token: admin.token! }
}

async function inviteAndAnswer(portal: TestPortal, admin: Client, guest: Guest): Promise<AnsweredInvitation> {
  const host = await hostCollaboration(portal, admin)
  const { id, path, text } = await host.invite({ guestPortalUrl: portal.server.publicUrl() })
  return { id, path, collaborationPath: host.path, response: await guest.answer(text), token: admin.token! }
}
