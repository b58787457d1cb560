import type { TestPortal } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

/** Twelve groups, as their owner lists them. */
async function listed(portal: TestPortal) {
  const admin = await portal.admin()
  for (let number = 1; number <= 12; number += 1) {
    await admin.createGroup(`Maps ${String(number).padStart(2, '0')}`)
  }
  return (parameters: Readonly<Record<string, string>>) =>
    admin.get('/community/groups', { q: 'Maps', sortField: 'title', ...parameters })
}

describe('a list', () => {
  test('answers its first ten entries, and where the next one is', async ({ portal }) => {
    const list = await listed(portal)
    const answer = await list({})
    expect(answer).toMatchObject({ total: 12, start: 1, num: 10, nextStart: 11 })
    expect(answer.results).toHaveLength(10)
  })

  test.for([
    [{ start: '3', num: '10' }, 10, -1],
    [{ start: '2', num: '10' }, 10, 12],
    [{ start: '1000000000' }, 0, -1],
  ] as const)('with %j has %i entries and nextStart %i', async ([parameters, count, nextStart], { portal }) => {
    const list = await listed(portal)
    const answer = await list(parameters)
    expect(answer.results).toHaveLength(count)
    expect(answer).toMatchObject({ total: 12, nextStart })
  })

  test('has its members in the documented order', async ({ admin }) => {
    expect(Object.keys(await admin.get('/portals/self/users'))).toEqual(['total', 'start', 'num', 'nextStart', 'users'])
    expect(Object.keys(await admin.get('/portals/self/collaborations'))).toEqual([
      'total',
      'start',
      'num',
      'nextStart',
      'collaborations',
    ])
  })
})
