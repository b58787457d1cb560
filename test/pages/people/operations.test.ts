import { expect, test } from 'vitest'
import {
  type ApiDescription,
  findOperations,
  listCheckedOperations,
} from '../../../pages/src/people/check/operations.ts'
import { formatOpenApi } from '../../../src/http/docs/openapi.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'

const operations = listCheckedOperations(
  JSON.parse(JSON.stringify(formatOpenApi(endpointTable, 'https://maps.example'))) as ApiDescription,
)

test('the operations are those that the server knows, each once, with the ids of their paths', () => {
  const ids = operations.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(100)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).not.toContain('generateToken')
  expect(operations.find(({ id }) => id === 'assignGroupCategorySchema')).toEqual({
    id: 'assignGroupCategorySchema',
    title: expect.stringMatching(/schema/i),
    room: expect.stringMatching(/./),
    targets: ['groupId'],
  })
  expect(operations.find(({ id }) => id === 'acceptGroupApplication')?.targets).toEqual(['groupId', 'username'])
})

test('they are found by all of the words', () => {
  const found = findOperations(operations, ' GROUP  schema assign ').map(({ id }) => id)
  expect(found).toContain('assignGroupCategorySchema')
  expect(found).not.toContain('assignPortalCategorySchema')
  expect(findOperations(operations, 'assignGroupCat').map(({ id }) => id)).toEqual(['assignGroupCategorySchema'])
  expect(findOperations(operations, '')).toEqual(operations)
  expect(findOperations(operations, 'nothing of the kind')).toEqual([])
})
