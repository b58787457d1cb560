import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type PortalError, requestMalformed } from '../../errors.ts'
import { formatEnvelope } from '../answer.ts'
import { drain } from './client-errors.ts'

/** Refuses requests that Node's parser accepts, but that another server on the way may understand differently. */
export function guardRequests(publicUrl: string | undefined) {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const refusal = findRefusal(request.raw, publicHost)
    if (refusal === undefined) {
      done()
      return
    }
    // A request may not be what it seems, and the next one on its connection may not be either.
    void drain(request.raw).then(() => {
      reply.code(refusal.code).header('connection', 'close').send(formatEnvelope(refusal))
    })
  }
}

function findRefusal(request: IncomingMessage, publicHost: string | undefined): PortalError | undefined {
  const { httpVersion, headers, url = '' } = request
  if (httpVersion !== '1.1') {
    if (httpVersion !== '1.0') return requestMalformed(400, 'The request is not HTTP/1.1 or HTTP/1.0.')
    if ('transfer-encoding' in headers) return requestMalformed(400, 'The request is HTTP/1.0 with Transfer-Encoding.')
  }
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    return requestMalformed(400, 'The request has a Transfer-Encoding other than chunked.')
  }
  const hosts = countHosts(request)
  if (hosts > 1) return requestMalformed(400, 'The request has more than one Host header.')
  if (hosts === 0 && httpVersion === '1.1') return requestMalformed(400, 'The request has no Host header.')
  if (headers.host === '') return requestMalformed(400, 'The request has an empty Host header.')
  if (!url.startsWith('/') && isForeign(url, headers.host, publicHost)) {
    return requestMalformed(400, 'The request is for another host.')
  }
  if (httpVersion === '1.1' && headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return requestMalformed(417, 'The request has an Expect other than 100-continue.')
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return requestMalformed(415, 'The request has a Content-Encoding; send the body as it is.')
  }
  if (hasOtherCharset(headers['content-type'])) {
    return requestMalformed(415, 'The Content-Type names another charset than UTF-8; send the body in UTF-8.')
  }
  return undefined
}

const charsets: readonly (string | undefined)[] = [undefined, 'utf-8', 'utf8', 'us-ascii', 'ascii']

/** Whether JSON or plain text names another charset than UTF-8. Forms name the charset of their page, and are percent-encoded UTF-8 all the same. */
function hasOtherCharset(contentType = ''): boolean {
  if (!/charset/i.test(contentType)) return false
  const [type, ...parameters] = contentType.toLowerCase().split(';', 20)
  if (!['application/json', 'text/plain'].includes(type!.trim())) return false
  const values = parameters.map((parameter) => /^charset\s*=\s*["']?([^"'\s]*)["']?$/.exec(parameter.trim())?.[1])
  return !values.every((value) => charsets.includes(value))
}

/** Node drops all Host headers but the first from `headers`. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Whether the target is an absolute URL of another host than the server's. */
function isForeign(target: string, host: string | undefined, publicHost: string | undefined): boolean {
  const url = URL.parse(target)
  if (url === null) return target !== '*'
  if (url.username !== '' || url.password !== '') return true
  return url.host !== publicHost && url.host !== URL.parse(`${url.protocol}//${host}`)?.host
}
