import type { Parameters } from '../../support/portal/portal.ts'
import type { Answer, Callers } from './callers.ts'
import type { World } from './world.ts'

/** A question and what the program of its time answered. */
export interface Reading {
  readonly by: string
  readonly path: string
  readonly parameters: Parameters
  readonly answer: Answer
}

type Read = (by: string, path: string, parameters?: Parameters) => Promise<Answer>

/** Reads a world through the API. */
export async function readWorld(callers: Callers, world: World): Promise<readonly Reading[]> {
  const readings: Reading[] = []
  const read: Read = async (by, path, parameters = {}) => {
    const answer = await callers.read(by, path, parameters)
    readings.push({ by, path, parameters, answer })
    return answer
  }
  // The administrator is first: users that sign in later still have the time of their last sign-in.
  await read('admin', '/portals/self')
  await read('admin', '/portals/self/publicKey')
  await read('admin', '/portals/self/users', { num: 100 })
  const { roles } = await read('admin', '/portals/self/roles')
  for (const { id } of roles) await read('admin', `/portals/self/roles/${id}/privileges`)
  for (const username of ['anna', 'bert', 'carl', 'dora', 'eva']) await read('admin', `/community/users/${username}`)
  await readContent(read, world)
  for (const id of world.collaborationIds) {
    const path = `/portals/self/collaborations/${id}`
    for (const below of ['', '/workspaces', '/participants', '/invitations']) await read('admin', `${path}${below}`)
  }
  const { collaborations } = await read('outsider', '/portals/self/collaborations')
  for (const { id } of collaborations) await read('outsider', `/portals/self/collaborations/${id}`)
  await read('anna', '/community/users/anna/invitations')
  await read('anna', '/community/users/anna/notifications')
  await read('bert', `/community/groups/${world.groupIds[1]}/applications`)
  await readHistory(read, world)
  return readings
}

async function readHistory(read: Read, { assigned, groupIds }: World): Promise<void> {
  const [organization, maps] = assigned
  for (const [owner, path] of [
    [organization!, '/portals/self'],
    [maps!, `/community/groups/${groupIds[0]}`],
  ] as const) {
    const by = owner === maps ? 'anna' : 'admin'
    await read(by, `${path}/categorySchema/versions`, { num: 100 })
    for (let version = 1; version <= owner.versions.length; version += 1) {
      await read(by, `${path}/categorySchema/versions/${version}`)
      await read(by, `${path}/categorySchema/versions/${version}/diff`)
    }
  }
}

async function readContent(read: Read, { groupIds, itemIds }: World): Promise<void> {
  await read('admin', '/portals/self/categorySchema')
  await read('admin', '/community/groups', { q: 'maps', sortField: 'title' })
  for (const id of groupIds) {
    for (const below of ['', '/users', '/userList', '/categorySchema'])
      await read('admin', `/community/groups/${id}${below}`)
    await read('admin', `/content/groups/${id}/search`, { sortField: 'title' })
  }
  for (const id of itemIds) {
    await read('admin', `/content/items/${id}`)
    await read('admin', `/content/items/${id}/groups`)
  }
  await read('admin', `/content/items/${itemIds[0]}/data`)
  await read('admin', '/content/users/anna', { sortField: 'title' })
  await read('admin', '/search', { q: 'alps', sortField: 'title' })
  await read('admin', '/search', { q: 'lakes', categories: '/Categories/Water' })
  await read('admin', '/search', { countFields: 'categories', num: 0 })
}
