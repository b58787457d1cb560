import { describe, expect, test } from 'vitest'
import { command, served } from './run-command.ts'

describe('cartulary health', () => {
  test('says that a server is ready, also below a path, and that it does not answer once it has ended', async () => {
    const environment = { DATABASE_URL: 'file::memory:', PUBLIC_URL: 'http://maps.example.com/portal' }
    await using server = await served(environment)
    const asked = { ...environment, PORT: new URL(server.url).port }
    const ready = { code: 0, printed: 'The server is ready.', complaint: '' }
    expect(await command(['health'], asked)).toEqual(ready)
    expect(await command(['health'], { ...asked, HOST: '0.0.0.0' })).toEqual(ready)
    const elsewhere = { ...asked, PUBLIC_URL: 'http://maps.example.com/other' }
    expect(await command(['health'], elsewhere)).toMatchObject({
      code: 1,
      complaint: expect.stringMatching(/^The server is not ready \(HTTP 404\): /),
    })
    await server.stop()
    const { code, complaint } = await command(['health'], asked)
    expect(code).toBe(1)
    expect(complaint).toMatch(/^The server does not answer: .*ECONNREFUSED/)
  })

  test('is refused where no port is named', async () => {
    const { code, complaint } = await command(['health'], { PORT: '0', DATABASE_URL: 'file::memory:' })
    expect({ code, complaint }).toEqual({ code: 2, complaint: 'PORT is 0: a server on any free port cannot be found.' })
  })
})
