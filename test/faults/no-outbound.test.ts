import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Folder, serve } from '../support/portal/process.ts'

const counting = new URL('../support/faults/count-connections.mjs', import.meta.url).href
const guard = new URL('../support/faults/no-outbound.mjs', import.meta.url).href
// An address in a network that is reserved for documentation.
const address = 'http://192.0.2.1/'

test('no test calls another machine, by whichever way', async () => {
  expect(() => connect(80, '192.0.2.1')).toThrow('An outbound connection to 192.0.2.1:80 was refused.')
  expect(() => connect({ port: 80, host: 'example.com' })).toThrow('example.com:80 was refused')
  const refused = await fetch(address).catch((error: Error) => (error.cause as Error).message)
  expect(refused).toContain('192.0.2.1:80 was refused')
})

test('nor does a process with the guard', async () => {
  const program = `fetch('${address}').catch((error) => console.log(error.cause.message))`
  const words = ['--import', guard, '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  expect(stdout).toContain('192.0.2.1:80 was refused')
})

test('a server without an identity provider opens no connection at all, and one that opens one is noticed', async () => {
  using folder = new Folder()
  const password = 'a password of the administrator'
  await using server = await serve({
    folder: folder.path,
    nodeWords: ['--import', counting],
    environment: { DATABASE_URL: 'file:maps.db', ADMIN_PASSWORD: password },
  })
  const token = await server.signIn('admin', password)
  await server.post('/portals/self', { token, f: 'json' })
  await server.post('/community/createGroup', { token, f: 'json', title: 'Maps', tags: 'maps' })
  await fetch(`${server.base.replace(/\/sharing\/rest$/, '')}/oidc/start`)
  expect((await server.stop()).err).not.toContain('opens a connection')

  await using calling = await serve({
    folder: folder.path,
    nodeWords: ['--import', counting],
    environment: {
      DATABASE_URL: 'file:other.db',
      ADMIN_PASSWORD: password,
      OIDC_ISSUER: 'http://127.0.0.1:49151',
      OIDC_CLIENT_ID: 'maps',
    },
  })
  await fetch(`${calling.base.replace(/\/sharing\/rest$/, '')}/oidc/start`)
  expect((await calling.stop()).err).toContain('opens a connection')
})
