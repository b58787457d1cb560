import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { findBuiltApplication } from '../../src/http/application/application.ts'
import { findFreePort } from '../support/databases/postgres.ts'
import { adminPassword, type Body, formEncode } from '../support/portal/portal.ts'
import { type CartularyProcess, Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { type FrontProxy, proxies, readExample, replace } from './proxies.ts'

const json = (response: Response): Promise<Body> => response.json()

const mebibyte = 1024 * 1024

/** A proxy in front of a server. */
class Proxied implements AsyncDisposable {
  readonly server: CartularyProcess
  /** Public address of the server. */
  readonly url: string
  readonly #folder: Folder
  readonly #child: ChildProcess

  constructor(server: CartularyProcess, url: string, folder: Folder, child: ChildProcess) {
    this.server = server
    this.url = url
    this.#folder = folder
    this.#child = child
  }

  static async open(proxy: FrontProxy, path: string, example: string): Promise<Proxied> {
    const folder = new Folder()
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}${path}`
    const settings = { PUBLIC_URL: url, TRUST_PROXY: 'true', ADMIN_PASSWORD: adminPassword }
    const server = await serve({ folder: folder.path, environment: { DATABASE_URL: 'file::memory:', ...settings } })
    const adapted = proxy.adapt(example, port).replaceAll('127.0.0.1:8080', new URL(server.url).host)
    const words = proxy.prepare(folder.path, adapted)
    const child = spawn(proxy.program!, words, { stdio: ['ignore', 'ignore', 'pipe'], env: { HOME: folder.path } })
    let complaint = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    await until(`${proxy.name} is ready`, async () => {
      if (child.exitCode !== null) throw new Error(complaint)
      return fetch(`${url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      )
    })
    return new Proxied(server, url, folder, child)
  }

  post(path: string, parameters: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const contentType = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = formEncode(parameters as Record<string, unknown>)
    return fetch(`${this.url}/sharing/rest${path}`, { method: 'POST', body, headers: { ...contentType, ...headers } })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) {
      this.#child.kill()
      await once(this.#child, 'exit')
    }
    await this.server[Symbol.asyncDispose]()
    this.#folder[Symbol.dispose]()
  }
}

const ways = proxies.flatMap((proxy) => {
  const [root, path] = proxy.files.map(readExample) as [string, string]
  const removing = proxy.removesPath.reduce((text, [found, other]) => replace(text, found, other), path)
  return [
    { way: 'at the root', decodes: false, proxy, path: '', example: root },
    { way: 'under a path', decodes: false, proxy, path: '/portal', example: path },
    { way: 'under a path that it removes', decodes: proxy.decodesThen, proxy, path: '/portal', example: removing },
  ]
})

describe.concurrent.each(ways)('behind $proxy.name, $way', ({ proxy, path, example, decodes }) => {
  test.skipIf(!proxy.program)('a server works (skipped where that proxy is not installed)', async () => {
    await using proxied = await Proxied.open(proxy, path, example)
    const { server, url } = proxied

    // Addresses that it prints and links work.
    expect(server.out).toContain(`Open ${url}/ in a browser, or see ${url}/openapi.json.`)
    const redirected = await fetch(`${url}/`, { redirect: 'manual' })
    expect(redirected.status).toBe(302)
    expect(new URL(redirected.headers.get('location')!, url).href).toBe(`${url}/sharing/rest`)
    const home = await fetch(`${url}/`, { headers: { accept: 'text/html' } })
    expect(home.url).toBe(findBuiltApplication() ? `${url}/` : `${url}/sharing/rest`)
    for (const [, address] of (await home.text()).matchAll(/(?:href|src)="\.\/([^"]+)"/g)) {
      expect((await fetch(`${url}/${address}`)).status, address).toBe(200)
    }
    const described = await fetch(`${url}/openapi.json`).then(json)
    expect(described.servers).toEqual([{ url: `${url}/sharing/rest` }])
    const page = await fetch(`${url}/sharing/rest?f=html`).then((response) => response.text())
    for (const [, address] of page.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js|svg))"/g)) {
      expect((await fetch(new URL(address!, url))).status, address).toBe(200)
    }

    // Requests of a whole signed-in journey, the largest ones among them.
    const { token } = await proxied.post('/generateToken', { username: 'admin', password: adminPassword }).then(json)
    const headers = { authorization: `Bearer ${token}` }
    const made = await proxied.post('/community/createGroup', { title: 'Maps' }, headers)
    const { group } = await json(made)
    const description = 'é'.repeat(90)
    const categories = Array.from({ length: 190 }, (_, number) => ({ title: `Category ${number}`, description }))
    const schema = JSON.stringify({ categorySchema: [{ title: 'Region', categories }] })
    const query = formEncode({ categorySchema: schema, token })
    expect(query.length).toBeGreaterThan(100_000)
    const place = `${url}/sharing/rest/community/groups/${group.id}`
    const assigned = await fetch(`${place}/assignCategorySchema?${query}`, { method: 'POST' })
    expect(await json(assigned)).toEqual({ success: true })
    const read = await fetch(`${place}/categorySchema`, { headers })
    expect(await read.text()).toBe(schema)
    const odd = await fetch(`${url}/sharing/rest/community/users/a%2Fb%20c`, { headers }).then(json)
    expect(odd.error.message).toBe(`${decodes ? 'Resource' : 'User'} does not exist or is inaccessible.`)
    const tooLarge = await proxied.post('/community/createGroup', { title: 'x'.repeat(1.5 * mebibyte) }, headers)
    expect(tooLarge.status).toBe(413)
    expect(await json(tooLarge)).toMatchObject({ error: { message: 'The request body is too large.' } })

    // The client's own words about itself are not believed, and its id is the proxy's.
    const lie = { ...headers, 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'mine' }
    const asked = await proxied.post('/community/self', {}, lie)
    const reqId = asked.headers.get('x-request-id')
    expect(reqId).toMatch(/^[\w@-]{20,36}$/)
    // Made by Cartulary, it would have no more than hexadecimal digits: nginx has the same form.
    await server.stop()
    const line = server.log.find((entry) => entry['reqId'] === reqId)
    expect(line).toMatchObject({ address: '127.0.0.1', user: 'admin', operation: 'readSelf' })
    if (proxy.name !== 'nginx') expect(reqId).not.toMatch(/^[0-9a-f]{32}$/)
  })
})

describe.each(proxies)('the examples for $name', ({ files }) => {
  test.each([
    [files[0], 'https://maps.example.com'],
    [files[1], 'https://maps.example.com/portal'],
  ])('%s names the settings that it needs, and has what they rely on', (file, publicUrl) => {
    const text = readExample(file)
    const [, line] = /^# Cartulary has (.*)$/m.exec(text)!
    expect(line).toBe(`PUBLIC_URL=${publicUrl} TRUST_PROXY=true METRICS_PORT=9464`)
    expect(text).toContain('127.0.0.1:8080')
    expect(text).toMatch(/X-Request-Id/)
    expect(text.includes('/portal/')).toBe(publicUrl.endsWith('/portal'))
    expect(text).not.toMatch(/[^\x20-\x7e\n\t]/)
  })
})
