import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openSchemaFileReader } from '../../src/file-reading/threaded-reader.ts'
import { filesThatRefer, parserFails, slowFile, smallFile } from '../support/inputs/hostile-rdf.ts'
import { outline } from '../support/inputs/skos-corpus.ts'
import { openPatientReader, skosFile } from './patient-reader.ts'

const anna = { portalId: 'maps', userId: 'anna' }
const ben = { portalId: 'maps', userId: 'ben' }
const cem = { portalId: 'lakes', userId: 'cem' }
const small = skosFile(smallFile)
const read = 'A\nThe file has no concept scheme; its top concepts are the trees.'

test('after a file on which the parser failed, the next one is read', async () => {
  const reader = openPatientReader()
  const [text, refusal] = parserFails
  expect(await reader.read(skosFile(text), anna)).toEqual({ problems: [refusal] })
  expect(outline(await reader.read(small, anna))).toBe(read)
})

test('a thread without memory is one clear refusal', async () => {
  const reader = openPatientReader({ heapMebibytes: 4 })
  expect(await reader.read(skosFile(`${smallFile}\n`.repeat(5_000)), anna)).toEqual({
    problems: ['Reading the file needs more memory than is allowed.'],
  })
})

/** Threads of this process that give way to all others, as Linux reports them. */
function listYielding(): readonly string[] {
  return readdirSync('/proc/self/task').filter((thread) => {
    try {
      const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
      return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[16] === '19'
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
}

describe.runIf(process.platform === 'linux')('a heavy file', () => {
  /** The outcome, and how many threads gave way to all others at most meanwhile. */
  async function watch(reading: Promise<unknown>) {
    // A thread of an earlier test may still be ending.
    const before = listYielding()
    const count = () => listYielding().filter((thread) => !before.includes(thread)).length
    let isOver = false
    void reading.finally(() => {
      isOver = true
    })
    let max = 0
    while (!isOver) {
      max = Math.max(max, count())
      await new Promise(setImmediate)
    }
    return { outcome: await reading, max, left: count() }
  }

  test('is read by a thread that gives way to all others, and is given up with that thread where it takes too long', async () => {
    const impatient = openSchemaFileReader({ deadlineMilliseconds: 100, givingWayMilliseconds: 100 })
    expect(await watch(impatient.read(skosFile(slowFile), anna))).toEqual({
      outcome: { problems: ['Reading the file takes more than 0.1 seconds.'] },
      max: 1,
      left: 0,
    })
  })

  test('is not one of a few lines, which no thread gives way for', async () => {
    const { max } = await watch(openPatientReader().read(small, anna))
    expect(max).toBe(0)
  })
})

test('the serving thread goes on while a file is read', async () => {
  const events: string[] = []
  const reading = openPatientReader()
    .read(small, anna)
    .then(() => events.push('file'))
  await new Promise(setImmediate)
  events.push('turn')
  await reading
  expect(events).toEqual(['turn', 'file'])
})

test('one user has one file in its thread and two that wait; those of others still wait their turn', async () => {
  const reader = openPatientReader()
  const accepted = [1, 2, 3].map(() => reader.read(small, anna))
  await expect(reader.read(small, anna)).rejects.toMatchObject({
    code: 429,
    limit: 'schemaFilesWaiting',
    retryAfterSeconds: 5,
  })
  const outlines = (await Promise.all([...accepted, reader.read(small, ben)])).map(outline)
  expect(outlines).toEqual([read, read, read, read])
})

test('a file that has waited too long is refused, and when to send it again', async () => {
  const reader = openPatientReader({ waitTimeout: 0 })
  const first = reader.read(small, anna)
  await expect(reader.read(small, ben)).rejects.toMatchObject({
    code: 503,
    limit: 'schemaFilesWaiting',
    reasons: [expect.stringContaining('Try again in 5 seconds.')],
  })
  expect(outline(await first)).toBe(read)
})

test('a short file does not wait for one that takes long', async () => {
  const reader = openPatientReader({ givingWayMilliseconds: 0, deadlineMilliseconds: 100, waitTimeout: 0 })
  const long = reader.read(skosFile(slowFile), anna)
  expect(outline(await reader.read(small, ben))).toBe(read)
  expect(await long).toEqual({ problems: ['Reading the file takes more than 0.1 seconds.'] })
})

test('short files of two organizations do not wait for each other', async () => {
  const reader = openPatientReader({ waitTimeout: 0 })
  const files = [anna, cem].map((sender) => reader.read(small, sender))
  expect((await Promise.all(files)).map(outline)).toEqual([read, read])
})

test('files that take more than their first time are read once more, even while others wait', async () => {
  const reader = openPatientReader({ givingWayMilliseconds: 0, shortMilliseconds: 0 })
  const long = skosFile(`${smallFile}\n${'# \n'.repeat(30_000)}`)
  const files = [long, small, long, small].map((file, at) => reader.read(file, at < 2 ? anna : ben))
  expect((await Promise.all(files)).map(outline)).toEqual([read, read, read, read])
})

test('nothing that a file refers to is fetched', async () => {
  const requests: (string | undefined)[] = []
  const server = createServer((request, response) => {
    requests.push(request.url)
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const reader = openPatientReader()
  try {
    for (const text of filesThatRefer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)) {
      expect(await reader.read(skosFile(text), anna)).toHaveProperty('problems')
    }
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
  expect(requests).toEqual([])
})

test('a remote context is refused with what to do', async () => {
  const reading = await openPatientReader().read(skosFile('{"@context":"http://127.0.0.1/c","@id":"urn:a"}'), anna)
  expect(reading).toEqual({
    problems: ['The file refers to a remote @context, which is not fetched: the context has to be in the file.'],
  })
})

test('CSV is read there too', async () => {
  const reading = await openPatientReader().read({ format: 'csv', text: 'path\n/A\n/A/B\n', options: {} }, anna)
  expect(outline(reading)).toBe('A (B)')
})
