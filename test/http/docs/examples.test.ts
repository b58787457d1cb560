import { describe, expect, test } from 'vitest'
import { kindOf } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { callExample, clientOf, pathOf } from '../../support/portal/example-call.ts'
import { openExampleWorld } from '../../support/portal/example-world.ts'

const rows = endpointTable.map((row) => [row.id, row] as const)

describe('the documented example', () => {
  test.each(rows)('%s is what the server answers', async (_id, row) => {
    await using world = await openExampleWorld(row.example.moment)
    expect(await callExample(row, world)).toStrictEqual(row.example.answer)
  })
})

test.each(rows.filter(([, row]) => kindOf(row) === 'resource'))(
  '%s answers POST as it answers GET',
  async (_id, row) => {
    await using world = await openExampleWorld(row.example.moment)
    expect(await clientOf(row, world).post(pathOf(row), row.example.parameters)).toStrictEqual(
      await callExample(row, world),
    )
  },
)

test.each(rows)('the example of %s succeeds, and says something', (_id, { example }) => {
  expect(Object.keys(example.answer as object)).not.toHaveLength(0)
  expect(example.answer).not.toHaveProperty('error')
})

test.each(rows)('the example of %s gives parameters that are described', (_id, { example, parameters }) => {
  expect(Object.keys(parameters)).toEqual(expect.arrayContaining(Object.keys(example.parameters ?? {})))
})
