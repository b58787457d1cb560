import { describe, expect, test } from 'vitest'
import { tokenRequired } from '../../../src/errors.ts'
import { formatEnvelope } from '../../../src/http/answer.ts'
import type { Endpoint } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { findMismatch, findRow } from '../../support/portal/answer-check.ts'

test('the example of every row fits its shape', () => {
  const mismatches = endpointTable.map((row) => [row.id, findMismatch(row, row.example.answer)])
  expect(mismatches.filter(([, mismatch]) => mismatch !== undefined)).toEqual([])
})

type Json = Readonly<Record<string, unknown>>

/** Members whose value may be any object, or none. */
const ofAnyKind: ReadonlySet<string> = new Set(['properties', 'reasons'])

/** Answers that are not any text. */
const shaped = endpointTable.filter((row) => !('text' in row.answers))

/** The value, changed at one place each time. */
function* changeEach(value: unknown, change: (object: Json, name: string) => Json): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) {
      for (const changed of changeEach(entry, change)) yield value.with(at, changed)
    }
    return
  }
  for (const [name, member] of Object.entries(value)) {
    if (ofAnyKind.has(name)) continue
    yield change(value as Json, name)
    for (const changed of changeEach(member, change)) yield { ...value, [name]: changed }
  }
}

function rename(object: Json, name: string): Json {
  const { [name]: member, ...others } = object
  return { ...others, [`${name}OrSo`]: member }
}

function retype(object: Json, name: string): Json {
  const member = object[name]
  return { ...object, [name]: Array.isArray(member) || typeof member !== 'object' || member === null ? {} : [] }
}

/** Changed answers that the check lets pass. */
function findUnnoticed(row: Endpoint, change: (object: Json, name: string) => Json): readonly unknown[] {
  return [...changeEach(row.example.answer, change)].filter((value) => findMismatch(row, value) === undefined)
}

describe('the check of answers', () => {
  test.each([
    ['name', rename],
    ['type', retype],
  ])('notices another %s of any member of any answer, at any depth', (_what, change) => {
    const unnoticed = shaped.map((row) => ({ id: row.id, answers: findUnnoticed(row, change) }))
    expect(unnoticed.filter(({ answers }) => answers.length > 0)).toEqual([])
  })

  test('takes no error for an answer, and no answer for an error', () => {
    const envelope = formatEnvelope(tokenRequired())
    expect(findMismatch('error', envelope)).toBeUndefined()
    const mistaken = shaped.filter(
      (row) =>
        !row.isAlwaysRefused &&
        (findMismatch(row, envelope) === undefined || findMismatch('error', row.example.answer) === undefined),
    )
    expect(mistaken.map(({ id }) => id)).toEqual([])
  })

  test.each([
    ['/', 'readRoot'],
    ['/community/self', 'readSelf'],
    ['/portals/self/', 'readPortal'],
    ['//portals//abc/users', 'listUsers'],
    ['/portals/abc/collaborations/def/invitations/ghi/invalidate', 'invalidateInvitation'],
    ['/portals/abc/nothing', undefined],
  ])('%s is answered by %s', (path, id) => {
    expect(findRow(path)?.id).toBe(id)
  })
})
