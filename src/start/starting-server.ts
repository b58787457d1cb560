import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { say } from '../sentences/say.ts'
import type { HeldPort } from './held-port.ts'

/** Imports would have Node load its client of HTTP at each start. */
const { createServer } = process.getBuiltinModule('node:http')
const { createServer: createTlsServer } = process.getBuiltinModule('node:https')

const unavailable = say('serviceUnavailable')

/** Answers of a server that is not ready: it lives, and serves nothing yet. */
const answer: RequestListener = ({ url = '' }, response) => {
  const isLive = /\/health\/live(\?|$)/.test(url)
  const body = isLive
    ? { status: 'live' }
    : /\/health\/ready(\?|$)/.test(url)
      ? { status: 'unavailable', reason: 'The server is starting.' }
      : { error: { code: 503, message: unavailable, details: [], reasons: ['The server is starting.'] } }
  const headers = { 'Content-Type': 'application/json', Connection: 'close', 'Cache-Control': 'no-store' }
  response.writeHead(isLive ? 200 : 503, isLive ? headers : { ...headers, 'Retry-After': '5' })
  response.end(JSON.stringify(body))
}

/** Answers on a port while the start of its server takes long. Returns a function that ends it, when that server has the port. */
export function answerWhileStarting(
  port: HeldPort,
  certificate: { readonly cert: Buffer | string; readonly key: Buffer | string } | undefined,
): () => void {
  const server = certificate ? createTlsServer(certificate, answer) : createServer(answer)
  const sockets = new Set<Socket>()
  port.passTo((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    server.emit('connection', socket)
  })
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}
