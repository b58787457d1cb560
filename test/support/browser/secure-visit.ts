import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makeCertificate, writeCertificate } from '../portal/certificate.ts'
import { startPortal } from '../portal/portal.ts'
import { openContext, Visit } from './browser.ts'

/** Runs what a browser reaches over HTTPS on a free port of this machine, under a name that leads there. */
export async function serveHttps(
  host: string,
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer(makeCertificate(host), answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `https://${host}:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * A user at a browser, in front of a portal over HTTPS under its true address, as sign-in to apps needs it: with a certificate of
 * its own at the root, or below a path behind a proxy. Its clock starts at the present. Closes itself.
 */
export async function openSecureVisit(
  contextPath: '' | `/${string}`,
  options: Parameters<typeof openContext>[0] = {},
): Promise<Visit> {
  let port = 0
  const proxy = contextPath === '' ? undefined : await serveHttps('localhost', pass)
  const own = proxy
    ? { PUBLIC_URL: `${proxy.origin}${contextPath}` }
    : { PUBLIC_URL: '', ...writeCertificate('localhost') }
  const portal = await startPortal({ environment: { PORT: '0', ...own }, isReused: false })
  portal.clock.now = Date.now()
  port = Number(new URL(await portal.server.listen()).port)
  const context = await openContext({ ignoreHTTPSErrors: true, ...options })
  const { origin } = new URL(portal.server.publicUrl())
  return new Visit(portal, origin, context, await context.newPage(), proxy)

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url: path, headers } = incoming
    const passed = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  }
}
