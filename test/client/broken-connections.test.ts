import { createHook } from 'node:async_hooks'
import { execFileSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { Transport } from '../../src/client/network/transport.ts'
import { makeCertificate } from '../support/portal/certificate.ts'
import { type ListeningPortal, startListeningPortal } from '../support/portal/listening-portal.ts'
import { Desk } from './run-client.ts'

let portal: ListeningPortal

beforeAll(async () => {
  portal = await startListeningPortal()
})
afterAll(() => portal[Symbol.asyncDispose]())

const token = { CARTULARY_TOKEN: 'secret-token' }

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A Cartulary with a schema, and a person who reaches it over a line on which something happens at a write. */
async function openLine(atWrite: (response: ServerResponse, forward: () => Promise<string>) => Promise<void>) {
  const admin = await portal.admin()
  const put = (title: string) =>
    admin.post('/portals/self/assignCategorySchema', { categorySchema: { categorySchema: [{ title }] } })
  const read = async () => (await admin.get('/portals/self/categorySchema')).categorySchema[0].title
  await put('Water')
  const origin = new URL(portal.url).origin
  const line = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { method = '', url = '', headers: given } = request
    const names = ['content-type', 'referer', 'x-esri-authorization']
    const headers = names.flatMap((name): [string, string][] => (given[name] ? [[name, String(given[name])]] : []))
    const forward = async () =>
      (await fetch(origin + url, { method, headers, ...(method === 'POST' && { body: new Uint8Array(body) }) })).text()
    if (url.includes('assignCategorySchema')) await atWrite(response, forward)
    else response.end(await forward())
  })
  const desk = new Desk()
  expect((await desk.login(`http://127.0.0.1:${await listen(line)}`)).complaint).toBe('')
  const file = desk.file('mine.json', { categorySchema: [{ title: 'Ice' }] })
  return { put, read, apply: () => desk.run(['apply', file, '--to', 'org', '--yes']) }
}

test('a change of another between the comparison and the write is no success, and stays', async () => {
  const { put, read, apply } = await openLine(async (response, forward) => {
    await put('Air')
    response.end(await forward())
  })
  const { code, complaint } = await apply()
  expect([code, complaint]).toEqual([4, expect.stringContaining('+ add /Air')])
  expect(await read()).toBe('Air')
})

test.each<[what: string, isMade: boolean, other: string | undefined, code: number, sentence: string]>([
  ['after the write is a success', true, undefined, 0, ''],
  ['before the write is said to have written nothing', false, undefined, 2, 'Nothing was written.'],
  ['before the change of another is not known', false, 'Air', 1, 'It is not known whether org was written'],
])('a connection that ends %s', async (_, isMade, other, code, sentence) => {
  const { put, read, apply } = await openLine(async (response, forward) => {
    if (isMade) await forward()
    if (other !== undefined) await put(other)
    response.destroy()
  })
  const ended = await apply()
  expect([ended.code, ended.complaint]).toEqual([code, expect.stringContaining(sentence)])
  expect(await read()).toBe(other ?? (isMade ? 'Ice' : 'Water'))
})

test('a certificate that is not trusted, or of another host, gets no request; --ca trusts one', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const asked: (string | undefined)[] = []
  const certificate = makeCertificate('localhost')
  const port = await listen(
    createSecureServer(certificate, ({ url }, response) => {
      asked.push(url)
      response.end('{}')
    }),
  )
  const desk = new Desk()
  let environment: Readonly<Record<string, string>> = { ...token, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const whoami = async (host: string, ...words: readonly string[]) => {
    const url = `https://${host}:${port}`
    const { code, complaint } = await desk.run(['whoami', '--url', url, ...words], { environment })
    return [code, complaint]
  }
  const ca = ['--ca', desk.file('ca.pem', certificate.cert)]
  expect(await whoami('localhost')).toEqual([2, expect.stringContaining('is not trusted; --ca names a file')])
  expect(await whoami('127.0.0.1', ...ca)).toEqual([2, expect.stringContaining('is one of another host')])
  expect(await whoami('localhost', '--ca', desk.file('a.pem', 'x'))).toEqual([2, expect.stringContaining('no certif')])
  expect(asked).toEqual([])
  expect(await whoami('localhost', ...ca)).toEqual([2, expect.stringContaining('no organization')])
  expect(asked).toHaveLength(2)
  // A pipe is read once, for the connection of the app too.
  const pipe = desk.path('pipe')
  execFileSync('mkfifo', [pipe])
  const written = writeFile(pipe, certificate.cert)
  environment = { CARTULARY_CLIENT_ID: 'app', CARTULARY_CLIENT_SECRET: 'secret of the app' }
  expect(await whoami('localhost', '--ca', pipe)).toEqual([2, expect.stringContaining('without a token')])
  await written
})

test('a portal that does not answer is given up after --timeout', async () => {
  const port = await listen(createServer(() => undefined))
  const words = ['whoami', '--url', `http://127.0.0.1:${port}`, '--timeout', '1', '--retries', '0']
  const { code, complaint } = await new Desk().run(words, { environment: token })
  expect([code, complaint]).toEqual([2, `http://127.0.0.1:${port} has not answered within 1 s.`])
})

test('an answered request leaves no timer behind: a job has thousands of them within its timeout', async () => {
  const port = await listen(createServer((_, response) => response.end('{}')))
  const { signal } = new AbortController()
  const transport = new Transport({ environment: {}, signal, timeoutSeconds: 600 })
  const alive = new Set<number>()
  const hook = createHook({
    init: (id, type) => void (type === 'Timeout' && new Error().stack!.includes('transport.ts') && alive.add(id)),
    destroy: (id) => void alive.delete(id),
  }).enable()
  onTestFinished(() => void hook.disable())
  const url = new URL(`http://127.0.0.1:${port}`)
  for (let request = 0; request < 3; request += 1) await transport.send({ method: 'GET', url, headers: {} })
  await setImmediate()
  expect([alive.size, getEventListeners(signal, 'abort').length]).toEqual([0, 0])
})
