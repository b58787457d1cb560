import { expect, test } from 'vitest'
import { write } from '../../src/operations/execute.ts'
import { startPortal } from '../support/portal/portal.ts'

test('what a command sends back has its answer and the codes of refused parts, and nothing of the log', async () => {
  await using portal = await startPortal()
  const { storage, random, now } = portal.server.dependencies
  const [admin, anna] = [await portal.admin(), await portal.user('anna')]
  const add = async (owner: typeof anna, username: string): Promise<string> =>
    (await owner.post(`/content/users/${username}/addItem`, { title: 'Lakes', type: 'Web Map' })).id
  const [foreign, own] = [await add(admin, 'admin'), await add(anna, 'anna')]
  const asked = {
    tokenHash: random.hashToken(anna.token!),
    now: now(),
    problems: [],
    origin: { address: '127.0.0.1', target: '/', requestId: '0' },
  }
  const remove = (...items: string[]) => {
    const input = { username: 'anna', items: { value: items } }
    return write(storage, { ...asked, operation: 'deleteItems', input })
  }

  expect(await remove(own)).toEqual({ outcomes: [{ itemId: own }] })
  const refused = await remove(foreign, 'gone')
  expect(Object.keys(refused)).toEqual(['outcomes', 'refusedParts'])
  expect(refused.refusedParts).toEqual([400])
})
