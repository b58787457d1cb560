import { expect, test } from 'vitest'
import { readInvitationRequest } from '../../src/collaborations/invitation.ts'
import { readResponse } from '../../src/collaborations/response.ts'
import { anInvitationRequest, aResponse } from '../support/inputs/signed-files.ts'
import type { Parameters } from '../support/portal/portal.ts'

const invitation = anInvitationRequest('https://guest.example.org/portal', 1_768_478_400_000)
const response = aResponse({ id: '', path: '', text: JSON.stringify({ invitationRequest: invitation }) })
const kinds = [
  {
    kind: 'an invitation',
    good: invitation,
    read: readInvitationRequest,
    problem: 'The members of the document are not those of an invitation.',
  },
  {
    kind: 'a response',
    good: response,
    read: readResponse,
    problem: 'The members of the document are not those of an invitation response.',
  },
]

/** A file whose signature holds. */
const verified = (document: Parameters) => ({ document, publicKey: '{}', fingerprint: '', digest: '' })

test.each(kinds)('every member of $kind has to be there, in its place and of its kind', ({ good, read, problem }) => {
  const names = Object.keys(good)
  const wrong = names.flatMap((name) => {
    const { [name]: value, ...without } = good
    const retyped = [null, [value, value], { value }, typeof value === 'string' ? 1 : String(value), true]
    const moved = name === names.at(-1) ? { [name]: value, ...without } : { ...without, [name]: value }
    return [without, moved, ...retyped.map((other) => ({ ...good, [name]: other }))]
  })
  expect(read(verified(good))).toEqual(good)
  expect(wrong).toHaveLength(names.length * 7)
  expect(wrong.filter((document) => JSON.stringify(read(verified(document))) !== JSON.stringify({ problem }))).toEqual(
    [],
  )
})
