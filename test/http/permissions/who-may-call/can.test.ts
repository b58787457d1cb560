import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../../src/http/endpoints/table.ts'
import { callers } from '../../../support/portal/actors.ts'
import { type Body, Client, isReplicated } from '../../../support/portal/portal.ts'
import { useBothOrganizations } from './both-organizations.ts'
import { fillPath, idNames } from './call.ts'
import { CallerCase } from './caller-case.ts'
import type { Case } from './expectations/case.ts'
import {
  forbidden,
  groupNotFound,
  itemNotFound,
  notFound,
  type Outcome,
  tokenInvalid,
  tokenRequired,
  userNotFound,
} from './expectations/outcomes.ts'
import { expectations } from './expectations/table.ts'

/** Permissions that a resource states for its reader agree with the matrix. */

const organizations = useBothOrganizations()

const refusals: readonly Outcome[] = [
  forbidden,
  ...[notFound, groupNotFound, itemNotFound, userNotFound],
  ...[tokenInvalid, tokenRequired],
]

const { choices } = endpointTable.find(({ id }) => id === 'checkPermission')!.parameters['operation']!
/** Operations that are judged without parameters: who may register an app depends on its item. */
const judged = endpointTable.filter((row) => choices!.includes(row.id) && row.id !== 'registerApp' && !row.judgesEach)

interface Resource {
  readonly id: string
  /** The id that operations on it have in their paths, and others that they may have, which its answer names. */
  readonly own: string
  readonly others: readonly string[]
  /** Operations on it that have no such path, or are not judged without parameters. */
  readonly elsewhere: readonly string[]
}

const resources: readonly Resource[] = [
  { id: 'readPortal', own: 'portalId', others: [], elsewhere: ['registerApp', 'checkPermission'] },
  { id: 'readUser', own: 'username', others: [], elsewhere: ['updateUserRole', 'checkPermission'] },
  { id: 'readGroup', own: 'groupId', others: [], elsewhere: [] },
  { id: 'readItem', own: 'itemId', others: ['username'], elsewhere: [] },
  { id: 'readCollaboration', own: 'collaborationId', others: [], elsewhere: [] },
  { id: 'readInvitation', own: 'invitationId', others: [], elsewhere: [] },
]

describe.each(resources)('$id', ({ id, own, others, elsewhere }) => {
  const resource = endpointTable.find((row) => row.id === id)!
  const known = [...idNames(resource.path), ...others]
  const operations = judged.filter(({ path }) => {
    const needed = idNames(path)
    return needed.every((name) => known.includes(name)) && (own === 'portalId' || needed.includes(own))
  })
  /** Answers by who asks for which path: most cases ask for the same ones. */
  const read = new Map<string, Promise<Body>>()

  function readAs({ actors, token, username, ids }: CallerCase): Promise<Body> {
    const path = fillPath(resource.path, ids)
    const key = `${actors.fixture.portalId} ${token} ${path}`
    const answer = read.get(key) ?? new Client(actors.portal, token, username).get(path, { withCan: 'true' })
    read.set(key, answer)
    return answer
  }

  async function compare(row: Endpoint, on: Case) {
    const [said, expected]: [Record<string, boolean>, Record<string, boolean>] = [{}, {}]
    for (const caller of callers) {
      const of = new CallerCase(organizations(), row, on, caller)
      const { error, can, owner } = await readAs(of)
      const isOther =
        others.includes('username') && idNames(row.path).includes('username') && owner !== of.ids['username']
      if (error || isOther) continue
      said[`${caller} on ${on.on}`] = can.includes(row.id)
      expected[`${caller} on ${on.on}`] = !refusals.includes(of.expected)
    }
    return { said, expected }
  }

  test.for(operations.map((row) => ({ row, id: row.id })))(
    'says whether $id can be called',
    async ({ row }, { expect }) => {
      const cases = expectations[row.id]!.filter((_, at) => !isReplicated || at === 0)
      const all = await Promise.all(cases.map((on) => compare(row, on)))
      expect(Object.assign({}, ...all.map(({ said }) => said))).toEqual(
        Object.assign({}, ...all.map(({ expected }) => expected)),
      )
    },
  )

  test('names operations on it alone, and says nothing unless it is asked', async () => {
    const of = new CallerCase(organizations(), resource, expectations[id]![0]!, 'administrator')
    const { can } = await readAs(of)
    const names = operations.map((row) => row.id)
    expect(can.filter((name: string) => !names.includes(name))).toEqual(elsewhere)
    const answer = await new Client(of.actors.portal, of.token, of.username).get(fillPath(resource.path, of.ids))
    expect(answer).not.toHaveProperty('can')
    expect(answer).not.toHaveProperty('error')
  })
})

test('of another organization, and of its users, is shown only what is public', async () => {
  const { portal } = organizations().public.database
  const { token, username } = organizations().public.find('outsider', { holder: [], lacking: [] })
  const outsider = new Client(portal, token, username)
  const admin = await portal.admin()
  await outsider.post(`/community/users/${username}/update`, { access: 'public' })
  const read = async (client: Client, path: string) => (await client.get(path, { withCan: 'true' })).can
  expect(await read(admin, `/community/users/${username}`)).toEqual(['readUser'])
  const ofPortal = ['readPortal', 'readAccount', 'readSubscription', 'readPublicKey', 'readSecurityPolicy']
  const ofSchema = ['readPortalCategorySchema', 'exportPortalCategorySchema']
  expect(await read(outsider, `/portals/${organizations().public.fixture.portalId}`)).toEqual([
    ...ofPortal,
    ...ofSchema,
  ])
})
