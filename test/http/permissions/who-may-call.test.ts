import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { callers } from '../../support/portal/cast.ts'
import { Attempt, type Trial } from './who-may-call/attempt.ts'
import { fillPath, idNames, places } from './who-may-call/call.ts'
import { insiderLots, otherLots } from './who-may-call/case.ts'
import { Casts } from './who-may-call/casts.ts'
import { expectations } from './who-may-call/expectations.ts'
import { testLots } from './who-may-call/lots.ts'
import { groupNotFound, notFound, tokenInvalid, tokenRequired } from './who-may-call/outcomes.ts'

/** Every request finds everybody as they began. */
let casts: Casts

beforeAll(async () => {
  casts = await Casts.start()
})

// Should a request have come to no answer.
beforeEach(() => casts.rewind())

afterAll(() => casts[Symbol.asyncDispose]())

test('every operation has its expectations, and every expectation its operation', () => {
  const ids = endpointTable.map(({ id }) => id)
  expect(Object.keys(expectations).toSorted()).toEqual(ids.toSorted())
  expect(Object.values(expectations).filter((cases) => cases.length === 0)).toEqual([])
})

test('every caller is in one lot', () => {
  const inLots = [insiderLots, otherLots].flatMap((lots) => Object.values(lots).flat())
  expect(inLots.toSorted()).toEqual(callers.toSorted())
})

testLots(otherLots, () => casts)

const guarded = endpointTable.filter(({ id, token }) => expectations[id] && token !== 'none')

describe.each(guarded.map((row) => ({ row, id: row.id })))('$id', ({ row }) => {
  const [on] = expectations[row.id]!

  test('takes the same token in two places, and refuses two different ones', async () => {
    const attempt = new Attempt(casts, row, on!, 'administrator')
    const other = new Attempt(casts, row, on!, 'outsider').token
    const { token, expected } = attempt
    const trials = pairs(places).flatMap(([one, two]): readonly Trial[] => [
      { call: attempt.call('POST', { [one]: token, [two]: token }), expected },
      { call: attempt.call('POST', { [one]: token, [two]: other }), expected: tokenInvalid },
      { call: attempt.call('POST', { [one]: other, [two]: token }), expected: tokenInvalid },
    ])
    await attempt.try(trials)
    expect(attempt.failures.join('\n')).toBe('')
  })

  test('takes no token from a cookie', async () => {
    const attempt = new Attempt(casts, row, on!, 'anonymous')
    const { token } = new Attempt(casts, row, on!, 'administrator')
    const headers = { cookie: `token=${token}; esri_auth=${token}` }
    await attempt.try([{ call: { ...attempt.call('POST', {}), headers }, expected: attempt.expected }])
    expect(attempt.failures.join('\n')).toBe('')
  })
})

function pairs<Entry>(entries: readonly Entry[]): readonly (readonly [Entry, Entry])[] {
  return entries.flatMap((one, position) => entries.slice(position + 1).map((two) => [one, two] as const))
}

/** Ids of nothing: well-formed ones, and such as no resource ever has. */
const unknownIds = ['0'.repeat(32), 'A'.repeat(16), 'nobody', "' OR 1=1 --", '%00', 'ä']

describe.each(guarded.filter(({ path }) => path.includes(':')).map((row) => ({ row, id: row.id })))(
  '$id on what does not exist',
  ({ row }) => {
    const [on] = expectations[row.id]!

    test('is told to administrators, and to nobody else', async () => {
      const failures: string[] = []
      for (const caller of ['administrator', 'anonymous', 'expiredToken'] as const) {
        const attempt = new Attempt(casts, row, on!, caller)
        const refusal = { anonymous: tokenRequired, expiredToken: tokenInvalid, administrator: undefined }[caller]
        const trials = idNames(row.path).flatMap((name) =>
          unknownIds.map((id): Trial => {
            const path = fillPath(row.path, { ...attempt.ids, [name]: id })
            const call = { ...attempt.call('POST', attempt.at('body')), path }
            return { call, expected: refusal ?? (name === 'groupId' ? groupNotFound : notFound) }
          }),
        )
        await attempt.try(trials)
        failures.push(...attempt.failures)
      }
      expect(failures.join('\n')).toBe('')
    })
  },
)
