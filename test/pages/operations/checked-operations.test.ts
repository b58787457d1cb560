import { expect, test } from 'vitest'
import { checkedOperationList, findOperations } from '../../../pages/src/operations/checked-operations.ts'
import texts from '../../../pages/src/operations/texts/en.json' with { type: 'json' }
import { keyOfAnswer, keyOfReason } from '../../../pages/src/people/check/verdict.ts'
import { auditedOperations } from '../../../src/audit/actions.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'

const known = endpointTable.find(({ id }) => id === 'checkPermission')!.parameters['operation']!.choices!

test('permission can be asked for each operation that the server knows, once, with the ids of its path', () => {
  const expected = known.map((id) => {
    const { path } = endpointTable.find((row) => row.id === id)!
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    return `${id}(${names.filter((name) => name !== 'portalId').join()})`
  })
  const listed = checkedOperationList.map(({ id, targets }) => `${id}(${targets.join()})`)
  expect(listed.toSorted()).toEqual(expected.toSorted())
})

test('each operation that is asked for or comes into the log has words, and no other has', () => {
  expect(Object.keys(texts).sort()).toEqual([...new Set([...known, ...Object.keys(auditedOperations)])].sort())
})

test('operations are found by all of the words of the person, or by their name in the API', () => {
  const find = (words: string) => findOperations(words, ({ id }) => texts[id]).map(({ id }) => id)
  expect(find(' GROUP  schema publish ')).toEqual(['assignGroupCategorySchema'])
  expect(find('assignGroupCat')).toEqual(['assignGroupCategorySchema'])
  expect(find('')).toHaveLength(known.length)
  expect(find('nothing of the kind')).toEqual([])
})

test.each([
  [{ verdict: 'permitted', allowed: true }, 'yes', 'reason_permitted'],
  [{ verdict: 'refusedNow', allowed: true }, 'yesBut', 'reason_refusedNow'],
  [{ verdict: 'forbidden', allowed: false }, 'no', 'reason_forbidden'],
  [{ verdict: 'forbidden', allowed: false, privilege: 'portal:user:createGroup' }, 'no', 'reason_lacking'],
  [{ verdict: 'notFound', allowed: false }, 'no', 'reason_notFound'],
  [{ verdict: 'disabled', allowed: false }, 'no', 'reason_disabled'],
] as const)('%j is answered by %s, because %s', (verdict, answer, reason) => {
  expect([keyOfAnswer(verdict), keyOfReason(verdict)]).toEqual([answer, reason])
})
