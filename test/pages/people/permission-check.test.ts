import { expect, test } from 'vitest'
import {
  type CheckedOperation,
  type CheckedOperations,
  findOperations,
  keyOfAnswer,
  keyOfReason,
  partOf,
  parts,
} from '../../../pages/src/people/check/checked-operations.ts'
import english from '../../../pages/src/texts/en.json' with { type: 'json' }
import { auditedOperations } from '../../../src/audit/actions.ts'
import { startPortal } from '../../support/portal/portal.ts'

await using portal = await startPortal()
const { operations } = (await portal.anonymous.get('/checkedOperations')) as unknown as CheckedOperations
const known = operations.map(({ id }) => id)

const texts = english.operations

test('every operation is in a part of the list and has ids that have words, and no other has', () => {
  expect(new Set(operations.map(partOf))).toEqual(new Set(parts))
  const keys = [...parts.map((part) => `part_${part}`), ...operations.flatMap(targetsOf)]
  expect(
    Object.keys(english['people/check'])
      .filter((key) => /^(part|target)_/.test(key))
      .sort(),
  ).toEqual([...new Set(keys)].sort())
})

function targetsOf({ target }: CheckedOperation): readonly string[] {
  return target.map((name) => `target_${name}`)
}

test('each operation that is asked for or comes into the log has words, and no other has', () => {
  expect(Object.keys(texts).sort()).toEqual([...new Set([...known, ...Object.keys(auditedOperations)])].sort())
})

test('operations are found by all of the words of the person, or by their name in the API', () => {
  const find = (words: string) =>
    findOperations(operations, words, ({ id }) => texts[id as keyof typeof texts]).map(({ id }) => id)
  expect(find(' GROUP  schema publish ')).toEqual(['assignGroupCategorySchema', 'publishGroupSchemaDraft'])
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
