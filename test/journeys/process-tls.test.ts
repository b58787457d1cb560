import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { makeCertificate } from '../support/portal/certificate.ts'
import { startPortal, type TestPortal } from '../support/portal/portal.ts'
import { Folder } from '../support/portal/process.ts'

const certificate = makeCertificate('localhost')

async function startWithTls(folder: Folder): Promise<TestPortal & { readonly port: number }> {
  const certFile = join(folder.path, 'cert.pem')
  const keyFile = join(folder.path, 'key.pem')
  writeFileSync(certFile, certificate.cert)
  writeFileSync(keyFile, certificate.key)
  const environment = { PUBLIC_URL: '', PORT: '0', TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }
  const portal = await startPortal({ environment, isReused: false })
  return Object.assign(portal, { port: Number(new URL(await portal.server.listen()).port) })
}

function read(port: number, path: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const options = { ca: certificate.cert, servername: 'localhost', agent: false }
    get(`https://127.0.0.1:${port}${path}`, options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode!, body }))
    }).on('error', reject)
  })
}

test('with a certificate and its key HTTPS is served, and every URL says so', async () => {
  using folder = new Folder()
  await using portal = await startWithTls(folder)
  const { status, body } = await read(portal.port, '/sharing/rest/info?f=json')
  expect(status).toBe(200)
  expect(JSON.parse(body)).toMatchObject({ owningSystemUrl: `https://localhost:${portal.port}` })
  const portalSelf = await read(portal.port, '/sharing/rest/portals/self?f=json')
  expect(JSON.parse(portalSelf.body)).toMatchObject({ allSSL: true })
})

test('a client that speaks plain HTTP to it gets no answer of the API', async () => {
  using folder = new Folder()
  await using portal = await startWithTls(folder)
  const answer = fetch(`http://127.0.0.1:${portal.port}/sharing/rest?f=json`).then((response) => response.status)
  await expect(answer.catch(() => 'none')).resolves.not.toBe(200)
})

test('closing it finishes what is in flight, and waits for no connection on which nothing happens', async () => {
  using folder = new Folder()
  const portal = await startWithTls(folder)
  const silent = connect({ port: portal.port, ca: certificate.cert, servername: 'localhost' })
  const busy = connect({ port: portal.port, ca: certificate.cert, servername: 'localhost' })
  await Promise.all([once(silent, 'secureConnect'), once(busy, 'secureConnect')])
  let text = ''
  busy.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  const finished = once(busy, 'close')
  const head =
    'POST /sharing/rest HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 7'
  busy.write(`${head}\r\n\r\nf=p`)
  await read(portal.port, '/health/live')
  const closing = portal[Symbol.asyncDispose]()
  busy.write('json')
  await Promise.all([closing, finished])
  expect(text).toContain('\n  "currentVersion"')
  silent.destroy()
})
