import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openLimitedFetch } from '../../src/identity-provider/limited-fetch.ts'
import { openIdentityProvider } from '../../src/identity-provider/openid-provider.ts'
import { HostileProvider } from '../support/identity-provider/hostile-provider.ts'

/** A server that answers so; its address, and how often it was called. */
async function serve(listener: RequestListener): Promise<{ readonly url: string; readonly calls: () => number }> {
  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls }
}

describe('what a provider answers is limited:', () => {
  test('a mebibyte is read, and no byte more', async () => {
    let size = 1_048_576
    const { url } = await serve((_request, response) => response.end(Buffer.alloc(size)))
    const call = openLimitedFetch(url, undefined)
    expect((await (await call(url)).arrayBuffer()).byteLength).toBe(size)
    size += 1
    await expect(call(url)).rejects.toThrow('answers more than 1048576 bytes')
  })

  test('an answer without an end is not read to it', async () => {
    const { url } = await serve((_request, response) => {
      const write = () => void (response.destroyed || response.write(Buffer.alloc(65_536), write))
      write()
    })
    await expect(openLimitedFetch(url, undefined)(url)).rejects.toThrow('answers more than')
  })

  test('an answer that grows when it is unpacked is counted unpacked', async () => {
    const { gzipSync } = await import('node:zlib')
    const packed = gzipSync(Buffer.alloc(2_000_000))
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    })
    await expect(openLimitedFetch(url, undefined)(url)).rejects.toThrow('answers more than')
  })

  test('an answer that drips is left, and so is none', async () => {
    const drip = await serve((_request, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    const silent = await serve(() => {})
    for (const { url } of [drip, silent]) {
      const call = openLimitedFetch(url, undefined, { milliseconds: 200 })
      await expect(call(url)).rejects.toThrow('no answer within 0.2 s')
    }
  })

  test.each([301, 302, 303, 307, 308])('a redirect by %i is not followed', async (status) => {
    const target = await serve((_request, response) => response.end('secret'))
    const { url } = await serve((_request, response) => {
      response.writeHead(status, { location: target.url }).end()
    })
    const call = openLimitedFetch(url, undefined)
    call.allow([target.url])
    await expect(call(url)).rejects.toThrow('a redirect, which is not followed')
    expect(target.calls()).toBe(0)
  })
})

describe('addresses that are not called:', () => {
  const remote = 'https://login.example.com/realms/maps'

  test.each([
    ['http://login.example.com/keys', 'it is not https'],
    ['file:///etc/passwd', 'it is not https'],
    ['https://169.254.169.254/latest', 'addresses of the local link'],
    ['https://[fe80::1]/', 'addresses of the local link'],
    ['https://[fd00:ec2::254]/', 'addresses of the local link'],
    ['https://[::ffff:169.254.169.254]/', 'addresses of the local link'],
    ['https://2852039166/', 'addresses of the local link'],
    ['http://127.0.0.1:8080/', 'it is on this machine'],
    ['https://localhost/', 'it is on this machine'],
    ['https://[::1]/', 'it is on this machine'],
    ['https://keys.example.com/', 'its host is neither'],
    ['https://login.example.com.evil.example/', 'its host is neither'],
    ['https://login.example.com:8443/', 'its host is neither'],
  ])('%s', async (address, reason) => {
    const call = openLimitedFetch(remote, undefined)
    if (!reason.startsWith('its host')) call.allow([address])
    await expect(call(address)).rejects.toThrow(reason)
  })

  test('those that the discovery names besides a list of the operator', async () => {
    const call = openLimitedFetch(remote, ['keys.example.com'])
    call.allow(['https://other.example.com/token'])
    await expect(call('https://other.example.com/token')).rejects.toThrow('its host is neither')
  })
})

describe('a discovery that aims elsewhere', () => {
  const transaction = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) }

  async function begin(discovery: Readonly<Record<string, unknown>>, hosts?: readonly string[]) {
    const provider = await HostileProvider.open()
    onTestFinished(() => provider[Symbol.asyncDispose]())
    provider.discovery = discovery
    const settings = { issuer: provider.issuer, clientId: 'cartulary', scopes: 'openid', hosts }
    const identityProvider = openIdentityProvider(settings, undefined, Date.now)
    const callback = 'https://maps.example.com/oidc/callback'
    return { provider, identityProvider, callback }
  }

  test.each([
    ['the credentials of a cloud, over http', 'http://169.254.169.254/latest/meta-data'],
    ['the same, over https', 'https://169.254.169.254/latest/meta-data'],
    ['another machine, over http', 'http://10.0.0.1/token'],
  ])('at %s is called for nothing', async (_what, address) => {
    const { identityProvider, callback } = await begin({ token_endpoint: address })
    await identityProvider.begin(transaction, callback)
    const answer = new URL(`${callback}?code=code&state=${transaction.state}`)
    await expect(identityProvider.complete(transaction, answer)).rejects.toThrow('is not called')
  })

  test('outside the list of the operator is called for nothing', async () => {
    const other = await serve((_request, response) => response.end('{}'))
    const { identityProvider, callback } = await begin({ token_endpoint: `${other.url}/token` }, ['login.example.com'])
    const answer = new URL(`${callback}?code=code&state=${transaction.state}`)
    await expect(identityProvider.complete(transaction, answer)).rejects.toThrow('its host is neither')
    expect(other.calls()).toBe(0)
  })

  test('of another issuer is refused with both names', async () => {
    const { provider, identityProvider, callback } = await begin({ issuer: 'https://login.example.com' })
    const said = `its discovery names the issuer https://login.example.com, OIDC_ISSUER is ${provider.issuer}`
    await expect(identityProvider.begin(transaction, callback)).rejects.toThrow(said)
  })

  test('is read at the first sign-in, once, and again after a failure', async () => {
    const { provider, identityProvider, callback } = await begin({ token_endpoint: undefined })
    expect(provider.asked).toEqual([])
    await expect(identityProvider.begin(transaction, callback)).rejects.toThrow('lacks')
    provider.discovery = {}
    await Promise.all([identityProvider.begin(transaction, callback), identityProvider.begin(transaction, callback)])
    await identityProvider.begin(transaction, callback)
    expect(provider.asked).toHaveLength(2)
  })

  test('names a difference of clocks', async () => {
    const { provider, identityProvider, callback } = await begin({})
    const past = Math.floor(Date.now() / 1_000) - 400
    provider.idToken = await provider.sign(provider.claims(transaction.nonce, { iat: past, exp: past + 60 }))
    const answer = new URL(`${callback}?code=code&state=${transaction.state}`)
    const complete = identityProvider.complete(transaction, answer)
    await expect(complete).rejects.toThrow(/exp is \d{3,} s past of this clock/)
  })
})
