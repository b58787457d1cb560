import { describe, expect, test } from 'vitest'
import type { Operation } from '../../src/http/operation.ts'
import { operationTable } from '../../src/http/operation-table.ts'
import { type ExampleWorld, openExampleWorld } from '../support/example-world.ts'
import type { Body, Client } from '../support/portal.ts'

const rows = operationTable.map((row) => [row.id, row] as const)

describe('the documented example', () => {
  test.each(rows)('%s is what the server answers', async (_id, row) => {
    await using world = await openExampleWorld()
    expect(settle(await call(row, world))).toStrictEqual(settle(row.example.answer))
  })
})

test.each(rows.filter(([, { kind }]) => kind === 'resource'))('%s answers POST as it answers GET', async (_id, row) => {
  await using world = await openExampleWorld()
  expect(await clientOf(row, world).post(pathOf(row), row.example.parameters)).toStrictEqual(await call(row, world))
})

test.each(rows)('the example of %s succeeds, and says something', (_id, { example }) => {
  expect(Object.keys(example.answer as object)).not.toHaveLength(0)
  expect(example.answer).not.toHaveProperty('error')
})

test.each(rows)('the example of %s gives parameters that are described', (_id, { example, parameters }) => {
  expect(Object.keys(parameters)).toEqual(expect.arrayContaining(Object.keys(example.parameters ?? {})))
})

function pathOf({ path, example }: Operation): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => example.ids?.[name] ?? `no-${name}`)
}

function clientOf({ token, example }: Operation, world: ExampleWorld): Client {
  if (token === 'none') return world.portal.anonymous
  return example.caller === 'anna' ? world.anna : world.admin
}

function call(row: Operation, world: ExampleWorld): Promise<Body> {
  const client = clientOf(row, world)
  const { parameters } = row.example
  return row.kind === 'resource' ? client.get(pathOf(row), parameters) : client.post(pathOf(row), parameters)
}

/**
 * Every member that is another in each world, since keys are drawn anew: it counts as the same if it looks the same.
 * Of a signature and of a file kept as text, what is inside has to be the same.
 */
const volatile: Readonly<Record<string, (text: string) => unknown>> = {
  x: (text) => (/^[\w-]{43}$/.test(text) ? '<public key>' : text),
  signature(text) {
    const [header = '', payload = '', bytes = ''] = text.split('.')
    return [decode(header), decode(payload), /^[\w-]{86}$/.test(bytes) ? '<64 bytes>' : bytes]
  },
  invitationString: (text) => settle(JSON.parse(text)),
}

function decode(part: string): unknown {
  return settle(JSON.parse(Buffer.from(part, 'base64url').toString()))
}

function settle(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settle)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => {
    const look = typeof member === 'string' ? volatile[name] : undefined
    return [name, look ? look(member) : settle(member)]
  })
  return Object.fromEntries(members)
}
