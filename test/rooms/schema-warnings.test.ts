import { expect, test } from 'vitest'
import { findDroppedMembers, findSchemaWarnings } from '../../src/categories/schema-warnings.ts'

test('what is not kept of a schema is named with its place', () => {
  const text = JSON.stringify({
    categorySchema: [
      { title: 'a', descripton: 'x', categories: [{ title: 'b' }, { title: 'c', Source: 1, source: 2 }] },
    ],
    more: 1,
  })
  expect(findDroppedMembers(text)).toEqual([
    '/categorySchema/0 has members that are not kept: descripton.',
    '/categorySchema/0/categories/1 has members that are not kept: Source, source.',
  ])
  expect(findDroppedMembers('[{"title":"a","x":1}]')).toEqual(['/categorySchema/0 has members that are not kept: x.'])
})

test('twenty places are enough, and a name is shortened', () => {
  const name = 'x'.repeat(1000)
  const text = JSON.stringify(Array.from({ length: 200 }, () => ({ title: 'a', [name]: 1 })))
  const found = findDroppedMembers(text)
  expect(found).toHaveLength(20)
  expect(found[0]).toBe(`/categorySchema/0 has members that are not kept: ${'x'.repeat(64)}….`)
})

test('siblings of one title are named', () => {
  const text = '{"categorySchema":[{"title":"b"},{"title":"b"}]}'
  expect(findSchemaWarnings(text, text)).toEqual(['Two categories have the path /b; items cannot tell them apart.'])
})
