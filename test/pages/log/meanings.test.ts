import { expect, test } from 'vitest'
import { meaningsOf } from '../../../pages/src/log/meanings.ts'

const operations = [
  ['invalidateInvitation', 'Revoke an invitation'],
  ['acceptInvitation', 'Accept an invitation'],
  ['deleteGroup', 'グループを削除'],
] as const

test.each([
  ['revoke', 'revoke:invalidateInvitation'],
  ['Invit', 'Invit:invalidateInvitation,Invit:acceptInvitation'],
  // Each word is one of the same name; who did it is none.
  ['anna an revoke', 'an:invalidateInvitation,revoke:invalidateInvitation'],
  // No name has both.
  ['accept revoke', 'accept:acceptInvitation,revoke:invalidateInvitation'],
  ['削除', '削除:deleteGroup'],
  ['voke', ''],
  ['a,b', ''],
])('what %s means', (words, expected) => {
  expect(meaningsOf(words, operations)).toBe(expected)
})
