import { describe, expect, test } from 'vitest'
import { nothingDone, refusedPartsOf, splitAuditDetails } from '../../src/call/audit-details.ts'
import { write } from '../../src/operations/execute.ts'
import { startPortal } from '../support/portal/portal.ts'

describe('an output is separated from its details', () => {
  const [done, refused] = [{ outcome: 200, target: '/a' }, { outcome: 403 }]
  test.each([
    { what: 'without details', output: { a: 1 }, entries: [{}], result: { a: 1 } },
    { what: 'no object', output: undefined, entries: [{}], result: undefined },
    { what: 'with those of one entry', output: { a: 1, audit: done }, entries: [done], result: { a: 1 } },
    { what: 'with those of several', output: { audit: [done, {}] }, entries: [done, {}], result: {} },
    { what: 'of nothing done', output: { a: 1, audit: nothingDone }, entries: [], result: { a: 1 } },
    {
      what: 'with refused parts',
      output: { a: 1, audit: [done, refused] },
      entries: [done, refused],
      result: { a: 1, refusedParts: [403] },
    },
  ])('$what', ({ output, entries, result }) => {
    expect(splitAuditDetails(output)).toStrictEqual({ entries, result })
  })
})

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

  expect(await remove(own)).toStrictEqual({ outcomes: [{ itemId: own }] })
  const refused = await remove(foreign, 'gone')
  expect(Object.keys(refused)).toEqual(['outcomes', 'refusedParts'])
  expect(refusedPartsOf(refused)).toEqual([400])
})
