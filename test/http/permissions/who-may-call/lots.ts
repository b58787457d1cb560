import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../../src/http/endpoints/table.ts'
import { Attempt, type Trial } from './attempt.ts'
import { garbageFor, places } from './call.ts'
import type { Lots } from './case.ts'
import type { Casts } from './casts.ts'
import { expectations } from './expectations.ts'
import { methodNotAllowed } from './outcomes.ts'

const rows = endpointTable.filter(({ id }) => expectations[id])

/** A test for each case of each operation and each lot of callers. */
export function testLots(lots: Lots, casts: () => Casts): void {
  describe.each(rows.flatMap((row) => expectations[row.id]!.map((on) => ({ row, on, id: row.id, what: on.on }))))(
    '$id on $what',
    ({ row, on }) => {
      test.each(Object.entries(lots))('answers %s as the contract says', async (_, lot) => {
        const failures: string[] = []
        for (const caller of lot) {
          const attempt = new Attempt(casts(), row, on, caller)
          await attempt.try([...atEveryPlace(attempt), ...withBadInput(attempt)])
          failures.push(...attempt.failures)
        }
        expect(failures.join('\n')).toBe('')
      })
    },
  )
}

/** By every method and with the token in every place the caller gets the same. */
function atEveryPlace(attempt: Attempt): readonly Trial[] {
  const { row, expected } = attempt
  return (attempt.token === undefined ? places.slice(0, 1) : places).flatMap((place): readonly Trial[] => {
    const post = { call: attempt.call('POST', attempt.at(place)), expected }
    const get = attempt.call('GET', attempt.at(place))
    if (place === 'body') return [post]
    if (row.effect === 'none' || row.isCalledByGet) return [post, { call: get, expected }]
    return place === 'query' ? [post, { call: get, expected: methodNotAllowed }] : [post]
  })
}

/** A caller who is refused gets the same for bad and for absent input; one who is not learns that it is bad. */
function withBadInput(attempt: Attempt): readonly Trial[] {
  const { row, expected } = attempt
  if (!mindsInput(row)) return []
  const tokens = attempt.at('x-esri-authorization')
  const bad = attempt.call('POST', tokens, garbageFor(row))
  if (expected === 'ok') return [{ call: bad, expected: 'a refusal of its input' }]
  return [
    { call: bad, expected },
    { call: attempt.call('POST', tokens, {}), expected },
  ]
}

/** Whether bad input is told apart by the row at all. */
function mindsInput({ id, parameters }: Endpoint): boolean {
  // Whatever is no token of anybody's has ended already.
  return Object.keys(parameters).length > 0 && id !== 'revokeToken'
}
