import { describe, expect, test } from 'vitest'
import { openRawDatabase } from '../../support/databases/raw-database.ts'

const requestId = /^[0-9a-f]{32}$/

/** Text that would reveal internals. */
const internals = /sqlite|kysely|select|insert|table|groups|\.ts\b|node_modules|stack|\bat /i

describe('a bug', () => {
  test.each(['envelope', 'match'])('is HTTP 500 with the request id, whatever the errors are, %s', async (status) => {
    await using database = await openRawDatabase({ environment: { HTTP_ERROR_STATUS: status } })
    const { portal } = database
    const admin = await portal.admin()
    await database.hide('category_schema_versions')
    const form = 'categorySchema={"categorySchema":[{"title":"Region"}]}'
    const response = await admin.send('/portals/self/assignCategorySchema', { form })
    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual({
      error: { code: 500, message: 'An unexpected error occurred.', details: [expect.stringMatching(requestId)] },
    })
    expect(response.json().error.details).toEqual([response.headers['x-request-id']])
    expect(response.body).not.toMatch(internals)
  })

  test('changes nothing by half', async () => {
    await using database = await openRawDatabase()
    const { portal } = database
    const admin = await portal.admin()
    await database.hide('audit')
    expect(await admin.post('/community/createGroup', { title: 'Maps' })).toMatchObject({ error: { code: 500 } })
    expect(await admin.get('/community/groups', { q: 'Maps' })).toMatchObject({ total: 0 })
  })

  test('shows its page to a browser without internals', async () => {
    await using database = await openRawDatabase()
    const { portal } = database
    await database.hide('tokens')
    const response = await portal.inject({ url: '/community/self?token=x&f=html' })
    expect(response.statusCode).toBe(500)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.body).toContain('An unexpected error occurred.')
    expect(response.body).not.toMatch(/sqlite|kysely|no such|\.ts\b|node_modules/i)
  })
})

describe('a database that cannot be used', () => {
  test.each(['envelope', 'match'])(
    'keeps what needs it waiting by HTTP 503, and nothing else, whatever the errors are, %s',
    async (status) => {
      await using database = await openRawDatabase({ environment: { HTTP_ERROR_STATUS: status }, isReused: false })
      const { portal } = database
      const admin = await portal.admin()
      await database.corrupt('portals')
      for (const asked of [admin.send('/portals/self'), admin.send('/portals/self/update', { form: '' })]) {
        const response = await asked
        expect(response.statusCode).toBe(503)
        expect(response.headers['retry-after']).toMatch(/^\d+$/)
        expect(response.json()).toEqual({
          error: { code: 503, message: 'The service is temporarily unavailable.', details: [] },
        })
      }
      // Requests that need no database are answered.
      expect(await portal.anonymous.get('/')).toHaveProperty('currentVersion')
      expect((await portal.anonymous.get('/nothing')).error.code).toBe(404)
    },
  )
})
