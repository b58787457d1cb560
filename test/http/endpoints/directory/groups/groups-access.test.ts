import { groupNotFound } from '../../../../support/portal/envelopes.ts'
import { type Client, startPortal, type TestPortal } from '../../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../../support/portal/test.ts'

interface Fixture {
  readonly id: string
  readonly people: Readonly<Record<string, Client>>
}

/** A group of this access, and one person of each kind. */
async function makeFixture(portal: TestPortal, access: string): Promise<Fixture> {
  const admin = await portal.admin()
  const owner = await admin.invite('owner')
  const { id } = await owner.createGroup('Maps', { access, tags: 'land' })
  const manager = await admin.invite('manager')
  const member = await admin.invite('member')
  await owner.post(`/community/groups/${id}/addUsers`, { users: 'member', admins: 'manager' })
  const colleague = await admin.invite('colleague')
  const recluse = await admin.invite('recluse', await admin.createRole('Recluse', []))
  const inspector = await admin.invite('inspector', await admin.createRole('Inspector', ['portal:admin:viewGroups']))
  portal.clock.now += 1
  const outsider = await portal.otherOrganization()
  return {
    id,
    people: { admin, owner, manager, member, colleague, recluse, inspector, outsider, anonymous: portal.anonymous },
  }
}

const inside = ['admin', 'owner', 'manager', 'member', 'inspector']

describe.each([
  ['private', inside],
  ['org', [...inside, 'colleague']],
  ['public', [...inside, 'colleague', 'recluse', 'outsider', 'anonymous']],
])('a %s group', (access, seers) => {
  test('is found by who sees it, of the organization or anonymous, and says how members belong to it', async () => {
    await using portal = await startPortal()
    const { id, people } = await makeFixture(portal, access)
    for (const [name, client] of Object.entries(people)) {
      const { total, results } = await client.get('/community/groups', { q: 'tags:land' })
      const expected = seers.includes(name) && name !== 'outsider' ? 1 : 0
      expect([total, results.length], name).toEqual([expected, expected])
    }
    const memberTypes: Readonly<Record<string, string>> = { owner: 'owner', manager: 'admin', member: 'member' }
    for (const name of seers.filter((seer) => seer !== 'outsider')) {
      const userMembership = {
        username: people[name]!.username ?? '',
        memberType: memberTypes[name] ?? 'none',
        applications: 0,
      }
      expect(await people[name]!.get(`/community/groups/${id}`), name).toMatchObject({ userMembership })
      expect((await people[name]!.get('/community/groups')).results[0], name).toMatchObject({ userMembership })
    }
  })
})

test('who no longer belongs to a private group sees it no longer', async ({ portal }) => {
  const { id, people } = await makeFixture(portal, 'private')
  await people['owner']!.post(`/community/groups/${id}/removeUsers`, { users: 'member,manager' })
  for (const name of ['member', 'manager']) {
    expect(await people[name]!.get(`/community/groups/${id}`)).toEqual(groupNotFound)
    expect(await people[name]!.get('/community/groups')).toMatchObject({ total: 0 })
  }
})

test('a change of access takes effect immediately', async ({ portal }) => {
  const { id, people } = await makeFixture(portal, 'public')
  await people['owner']!.post(`/community/groups/${id}/update`, { access: 'private' })
  expect(await people['colleague']!.get(`/community/groups/${id}`)).toEqual(groupNotFound)
  expect(await portal.anonymous.get('/community/groups')).toMatchObject({ total: 0 })
})

test('a public group stays public where its organization is private', async ({ portal }) => {
  const { id } = await makeFixture(portal, 'public')
  expect(await portal.anonymous.get('/portals/self')).toMatchObject({ access: 'private' })
  expect(await portal.anonymous.get(`/community/groups/${id}`)).toMatchObject({
    id,
    userMembership: { username: '', memberType: 'none' },
  })
})
