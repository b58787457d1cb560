import { describe, expect, test } from 'vitest'
import { tokenRequired } from '../../../src/errors.ts'
import { formatEnvelope } from '../../../src/http/answer.ts'
import type { Endpoint } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { findMismatch, findRow } from '../../support/portal/answer-check.ts'

const rows = endpointTable.map((row) => [row.id, row] as const)

test.each(rows)('the example of %s fits its shape', (_id, row) => {
  expect(findMismatch(row, row.example.answer)).toBeUndefined()
})

type Json = Readonly<Record<string, unknown>>

/** Members whose value may be any object, or none. */
const ofAnyKind: ReadonlySet<string> = new Set(['properties', 'reasons'])

/** Answers that are not any text. */
const shaped = rows.filter(([, row]) => !('text' in row.answers))

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
  test.each(shaped)('notices another name of any member of %s, at any depth', (_id, row) => {
    expect(findUnnoticed(row, rename)).toEqual([])
  })

  test.each(shaped)('notices another type of any member of %s, at any depth', (_id, row) => {
    expect(findUnnoticed(row, retype)).toEqual([])
  })

  test.each(shaped.filter(([, row]) => !row.isAlwaysRefused))('takes no error for the answer of %s', (_id, row) => {
    const envelope = formatEnvelope(tokenRequired())
    expect(findMismatch('error', envelope)).toBeUndefined()
    expect(findMismatch(row, envelope)).toEqual(expect.any(String))
    expect(findMismatch('error', row.example.answer)).toEqual(expect.any(String))
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
