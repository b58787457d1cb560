import { describe, expect, test } from 'vitest'
import { startPortal } from '../support/portal.ts'
import { RawDatabase } from '../support/raw-database.ts'

describe('/health/live', () => {
  test('says that the process answers, below no context', async () => {
    await using portal = await startPortal()
    const response = await portal.server.app.inject('/health/live')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ status: 'live' })
  })
})

describe('/health/ready', () => {
  test('says that the database answers', async () => {
    await using portal = await startPortal()
    const response = await portal.server.app.inject('/health/ready')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ status: 'ready' })
  })

  test('is HTTP 503 when it does not, while the process lives on', async () => {
    using database = new RawDatabase()
    await using portal = await startPortal({ environment: database.environment })
    database.corrupt('portals')
    const response = await portal.server.app.inject('/health/ready')
    expect(response.statusCode).toBe(503)
    expect(response.json()).toEqual({ status: 'unavailable', reason: 'The database does not answer.' })
    expect((await portal.server.app.inject('/health/live')).statusCode).toBe(200)
  })
})
