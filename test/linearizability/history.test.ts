import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { check } from './checker.ts'
import { answerOf, History } from './history.ts'
import { register } from './models.ts'

test('an operation has the times around it, and its answer', async () => {
  let time = 0
  const history = new History<string, string>(() => {
    time += 1
    return time
  })
  const slow = Promise.withResolvers<string>()
  const first = history.record('anna', 'one', () => slow.promise)
  const second = history.record('bert', 'two', async () => 'second')
  expect(await second).toBe('second')
  slow.resolve('first')
  expect(await first).toBe('first')
  expect(history.operations).toEqual([
    { client: 'anna', input: 'one', calledAt: 1, answer: { output: 'first', returnedAt: 4 } },
    { client: 'bert', input: 'two', calledAt: 2, answer: { output: 'second', returnedAt: 3 } },
  ])
})

test('an operation that is still on its way has no answer, nor has it later in what was read before', async () => {
  const history = new History<string, string>()
  const slow = Promise.withResolvers<string>()
  const asked = history.record('anna', 'one', () => slow.promise)
  const before = history.operations
  slow.resolve('first')
  await asked
  expect(before[0]!.answer).toBeUndefined()
  expect(history.operations[0]!.answer).toMatchObject({ output: 'first' })
})

test('an operation that throws has no answer, and the reason is counted', async () => {
  const history = new History<string, string>()
  for (const name of ['one', 'two']) {
    const answer = await history.record('anna', name, () => Promise.reject(new Error('cut off')))
    expect(answer).toBeUndefined()
  }
  expect(history.operations.map(({ answer }) => answer)).toEqual([undefined, undefined])
  expect([...history.reasons]).toEqual([['Error: cut off', 2]])
})

test('the usual clock orders one operation after another', async () => {
  const history = new History<Parameters<typeof register.keyOf>[0], string | null>()
  await history.record('anna', { operation: 'write', value: '1' }, async () => 'ok')
  await history.record('bert', { operation: 'read' }, async () => null)
  expect(check(register, history.operations).outcome).toBe('illegal')
})

test('HTTP 500 and 503 and a connection that is cut are no answers, other refusals are', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/cut') request.socket.destroy()
    else response.writeHead(Number(request.url!.slice(1))).end('said')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const history = new History<string, string>()
  for (const path of ['200', '404', '429', '500', '503', 'cut']) {
    await history.record('anna', path, async () => answerOf(await fetch(`http://127.0.0.1:${port}/${path}`)))
  }
  server.closeAllConnections()
  server.close()
  expect(history.operations.map(({ input, answer }) => [input, answer?.output])).toEqual([
    ['200', 'said'],
    ['404', 'said'],
    ['429', 'said'],
    ['500', undefined],
    ['503', undefined],
    ['cut', undefined],
  ])
  expect([...history.reasons.keys()]).toEqual(['Error: HTTP 500', 'Error: HTTP 503', 'TypeError: fetch failed'])
})
