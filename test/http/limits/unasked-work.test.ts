import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRawDatabase } from '../../support/databases/raw-database.ts'
import { groupNotFound, permissionDenied, tokenInvalid, tokenRequired } from '../../support/portal/envelopes.ts'
import { Client, startPortal } from '../../support/portal/portal.ts'

describe('a large schema is judged only for callers who may assign it', () => {
  /** Few values, so that nothing but the caller keeps it from being parsed. */
  const schema = [{ title: 'Root', description: ' '.repeat(100_000) }]

  async function open() {
    const portal = await startPortal()
    const group = await (await portal.admin()).createGroup('Maps', { access: 'public' })
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    const assign = (holder: string, token: string | undefined, categorySchema: object = schema) =>
      new Client(portal, token, undefined).post(`${holder}/assignCategorySchema`, { categorySchema })
    const isJudged = () => parse.mock.calls.some(([text]) => text.length > 50_000)
    return { portal, assign, isJudged, holders: ['/portals/self', `/community/groups/${group.id}`] }
  }

  test('not without a token, for an unknown one, or for a user without the permission', async () => {
    const { portal, assign, isJudged, holders } = await open()
    await using _ = portal
    const user = await portal.user('anna')
    for (const holder of holders) {
      expect(await assign(holder, undefined)).toEqual(tokenRequired)
      expect(await assign(holder, 'unknown')).toEqual(tokenInvalid)
      expect(await assign(holder, user.token)).toEqual(permissionDenied)
    }
    expect(await assign('/community/groups/none', user.token)).toEqual(groupNotFound)
    expect(isJudged()).toBe(false)
  })

  test('and a refusal is in the audit as that of a small one', async () => {
    await using database = await openRawDatabase()
    const user = await database.portal.user('anna')
    const assign = (categorySchema: object) => user.post('/portals/self/assignCategorySchema', { categorySchema })
    const refusals = async () => {
      const rows = await database.rows('SELECT operation, outcome, username, target FROM audit WHERE outcome <> 200')
      return rows
    }
    await assign([{ title: 'Root' }])
    const [small] = await refusals()
    await assign(schema)
    expect(await refusals()).toEqual([small, small])
  })

  test('it is for who may', async () => {
    const { portal, assign, isJudged, holders } = await open()
    await using _ = portal
    const { token } = await portal.admin()
    for (const holder of holders) {
      expect((await assign(holder, token)).error.details).toEqual([
        expect.stringMatching(/^Description at \/categorySchema\/0\/description has 100000 characters/),
      ])
    }
    expect(isJudged()).toBe(true)
  })
})
