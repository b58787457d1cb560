import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { receiveBodies, releaseBody } from '../../../../src/http/transport/bodies.ts'
import { exchange, RawConnection, requestText } from '../../../support/faults/socket.ts'
import { until } from '../../../support/until.ts'

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const maxBytes = 1_000_000

/** A server that says of each body what it was, and whether its memory is free when it is released. */
function openServer() {
  const app = Fastify({ bodyLimit: maxBytes })
  receiveBodies(app)
  const pieces: Buffer[] = []
  app.addHook('preParsing', (request, _reply, payload, done) => {
    request.raw.on('data', (piece: Buffer) => pieces.push(piece))
    done(null, payload)
  })
  app.post('/', async (request) => {
    const body = request.body as Buffer | undefined
    const text = body?.toString('latin1')
    releaseBody(request)
    return { text, isFree: body?.length === 0, isTaken: request.body === undefined }
  })
  return { app, pieces, [Symbol.asyncDispose]: () => app.close() }
}

const digits = Array.from({ length: 300_000 }, (_, number) => number % 10).join('')

/** A chunked body. */
function inChunks(text: string, length: number): string {
  const chunks = text.match(new RegExp(`.{1,${length}}`, 'g'))!
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`
}

test.each([
  ['of an announced length', { 'Content-Length': String(digits.length) }, digits],
  ['of an unknown length', { 'Transfer-Encoding': 'chunked' }, inChunks(digits, 10_000)],
])('the pieces of a body %s are one buffer, and all of them are free when it is read', async (_what, headers, sent) => {
  await using server = openServer()
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { body } = await exchange(url, requestText('POST /', { ...form, ...headers }, sent))
  expect(JSON.parse(body)).toEqual({ text: digits, isFree: true, isTaken: true })
  expect(server.pieces.length).toBeGreaterThan(1)
  expect(server.pieces.filter(({ length }) => length > 0)).toEqual([])
})

test('a body of one piece is that piece', async () => {
  await using server = openServer()
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { body } = await exchange(url, requestText('POST /', { ...form, 'Content-Length': '3' }, 'abc'))
  expect(JSON.parse(body)).toEqual({ text: 'abc', isFree: true, isTaken: true })
  expect(server.pieces.map(({ length }) => length)).toEqual([0])
})

test('a client that goes within its body is no failure of the server', async () => {
  await using server = openServer()
  const statuses: unknown[] = []
  server.app.setErrorHandler(async ({ statusCode }: { statusCode?: number }) => {
    statuses.push(statusCode)
  })
  const connection = new RawConnection(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  connection.answer.catch(() => undefined)
  await connection.send(requestText('POST /', { ...form, 'Content-Length': '1000' }, 'abc'))
  await until('the piece has come', () => server.pieces.length === 1)
  connection.close()
  await until('the body has failed', () => statuses.length === 1)
  expect(statuses).toEqual([400])
})

test('what a program injects stays as it is', async () => {
  await using server = openServer()
  const payload = Buffer.from(digits)
  for (let number = 0; number < 2; number += 1) {
    const answer = await server.app.inject({ method: 'POST', url: '/', headers: form, payload })
    expect(answer.json()).toEqual({ text: digits, isFree: true, isTaken: true })
  }
  expect(payload.toString()).toBe(digits)
})

test.each([
  ['as it says', { 'content-length': String(maxBytes + 1) }, 10],
  ['as its pieces show', {}, maxBytes + 1],
])('a body is too large %s', async (_what, headers, length) => {
  await using server = openServer()
  const payload = Readable.from([Buffer.alloc(length / 2), Buffer.alloc(Math.ceil(length / 2))])
  const answer = await server.app.inject({ method: 'POST', url: '/', headers: { ...form, ...headers }, payload })
  expect(answer.json()).toMatchObject({ code: 'FST_ERR_CTP_BODY_TOO_LARGE' })
})

test('an empty body is an empty buffer, again and again', async () => {
  await using server = openServer()
  for (let number = 0; number < 3; number += 1) {
    const answer = await server.app.inject({ method: 'POST', url: '/', headers: form, payload: Readable.from([]) })
    expect(answer.json()).toMatchObject({ text: '' })
  }
})
