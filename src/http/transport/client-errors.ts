import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { requestMalformed } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { formatEnvelope } from '../answer.ts'
import type { Connections } from './connections.ts'

/** Time for a refused client to read the answer before the connection is closed. */
const lingerMilliseconds = 1_000

/** Reads and discards the rest of a body, for a limited time: a client that is cut off while sending misses the answer. */
export function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, lingerMilliseconds).unref()
    request.once('end', resolve).once('close', resolve).resume()
  })
}

/**
 * Answers malformed or slow requests, which Node rejects before they reach a route, with these headers; after the answers to
 * the requests before them, as a client would take the first answer for that to its first request.
 */
export function clientErrorHandler(
  headers: Readonly<Record<string, string>>,
  connections: Pick<Connections, 'afterAnswers'>,
) {
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const failed = new WeakSet<Socket>()

  return (error: Error & { code?: string }, socket: Socket): void => {
    // Each following chunk is malformed too; a client that still sends when its connection is cut misses the answer.
    if (failed.has(socket) || socket.writableEnded) return
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    failed.add(socket)
    connections.afterAnswers(socket, () => refuse(error, socket))
  }

  function refuse(error: Error & { code?: string }, socket: Socket): void {
    // Closed by the answer to a request that was the last one.
    if (!socket.writable) return
    // Lingers as `drain` does.
    setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
    const [code, message] = clientErrors[error.code ?? ''] ?? ([400, 'Bad Request'] as const)
    const body = JSON.stringify(formatEnvelope(requestMalformed(code, say('requestUnreadable'))))
    socket.end(
      `HTTP/1.1 ${code} ${message}\r\nContent-Type: application/json; charset=utf-8\r\n${headerLines.join('')}` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
}

const clientErrors: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
}
