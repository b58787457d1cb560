import { describe, expect, test } from 'vitest'
import type { Operation } from '../../src/http/operation.ts'
import { operationTable } from '../../src/http/operation-table.ts'
import { type ExampleWorld, openExampleWorld } from '../support/example-world.ts'
import type { Body, Client } from '../support/portal.ts'

const rows = operationTable.map((row) => [row.id, row] as const)

describe('the documented example', () => {
  test.each(rows)('%s is what the server answers', async (_id, row) => {
    await using world = await openExampleWorld(row.example.moment)
    expect(await call(row, world)).toStrictEqual(row.example.answer)
  })
})

test.each(rows.filter(([, { kind }]) => kind === 'resource'))('%s answers POST as it answers GET', async (_id, row) => {
  await using world = await openExampleWorld(row.example.moment)
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
  return example.caller === undefined ? world.admin : world[example.caller]
}

function call(row: Operation, world: ExampleWorld): Promise<Body> {
  const client = clientOf(row, world)
  const { parameters, fileName } = row.example
  if (fileName !== undefined) return upload(row, client, fileName)
  return row.kind === 'resource' ? client.get(pathOf(row), parameters) : client.post(pathOf(row), parameters)
}

/** The call as a multipart body, with the file as a part that has a name. */
async function upload(row: Operation, { portal, token }: Client, fileName: string): Promise<Body> {
  const form = new FormData()
  for (const [name, text = ''] of Object.entries(row.example.parameters ?? {})) {
    if (row.parameters[name]?.type === 'file') form.append(name, new Blob([text]), fileName)
    else form.append(name, text)
  }
  const encoded = new Response(form)
  const response = await portal.inject({
    method: 'POST',
    url: pathOf(row),
    headers: {
      'content-type': encoded.headers.get('content-type')!,
      'x-esri-authorization': `Bearer ${token}`,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return response.json()
}
