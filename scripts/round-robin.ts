import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * Minimal load balancer: each request goes to the next server. A server that refuses the connection has
 * not received the request, so the next one gets it; any later failure is answered with 502 and never sent twice.
 */
export function createBalancer(targets: () => readonly URL[]): Server {
  let turn = 0
  return createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming)
    const servers = targets()
    for (let attempt = 0; attempt < servers.length; attempt += 1) {
      turn = (turn + 1) % servers.length
      try {
        return answer(await pass(servers[turn]!, incoming, body), outgoing)
      } catch (error) {
        if (!wasRefused(error)) break
      }
    }
    outgoing.writeHead(502).end()
  })
}

interface Passed {
  readonly head: IncomingMessage
  readonly body: Buffer
}

function pass(
  { hostname, port }: URL,
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
): Promise<Passed> {
  return new Promise((resolve, reject) => {
    const passed = request({ hostname, port, method, path: url, headers }, (head) => {
      buffer(head).then((bytes) => resolve({ head, body: bytes }), reject)
    })
    passed.once('error', reject).end(body)
  })
}

function answer({ head, body }: Passed, outgoing: ServerResponse): void {
  outgoing.writeHead(head.statusCode ?? 502, head.headers).end(body)
}

function wasRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
}
