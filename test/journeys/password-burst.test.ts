import { expect, test } from 'vitest'
import { openPasswordHash } from '../../src/secrets/password-hash.ts'
import { startPortal } from '../support/portal/portal.ts'

test('more guesses than the processor can do are turned away in time, and the server stays ready', async () => {
  await using portal = await startPortal({ passwords: openPasswordHash() })
  const begun = performance.now()
  const guesses = Array.from({ length: 200 }, (_, number) =>
    portal.anonymous.post('/generateToken', { username: `nobody${number}`, password: 'a wrong password' }),
  )
  const ready = await portal.server.app.inject('/health/ready')
  const codes = (await Promise.all(guesses)).map(({ error }) => error.code)
  expect(ready.statusCode).toBe(200)
  expect(new Set(codes)).toEqual(new Set([400, 503]))
  expect(performance.now() - begun).toBeLessThan(15_000)
  expect(await portal.admin()).toHaveProperty('token')
})
