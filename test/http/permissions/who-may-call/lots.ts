import { describe, expect, test } from 'vitest'
import { type Endpoint, kindOf } from '../../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../../src/http/endpoints/table.ts'
import { Attempt } from './attempt.ts'
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
          await tryPlaces(attempt)
          await tryInput(attempt)
          failures.push(...attempt.failures)
        }
        expect(failures.join('\n')).toBe('')
      })
    },
  )
}

/** By every method and with the token in every place the caller gets the same. */
async function tryPlaces(attempt: Attempt): Promise<void> {
  const { row } = attempt
  for (const place of attempt.token === undefined ? places.slice(0, 1) : places) {
    await attempt.try(attempt.call('POST', attempt.at(place)))
    if (place === 'body') continue
    if (kindOf(row) === 'resource' || row.isCalledByGet) await attempt.try(attempt.call('GET', attempt.at(place)))
    else if (place === 'query') await attempt.try(attempt.call('GET', attempt.at(place)), methodNotAllowed)
  }
}

/** Who is refused gets the same for bad and for absent input; who is not learns that it is bad. */
async function tryInput(attempt: Attempt): Promise<void> {
  if (!mindsInput(attempt.row)) return
  const tokens = attempt.at('x-esri-authorization')
  const garbage = garbageFor(attempt.row)
  if (attempt.expected === 'ok') return attempt.try(attempt.call('POST', tokens, garbage), 'a refusal of its input')
  await attempt.try(attempt.call('POST', tokens, garbage))
  await attempt.try(attempt.call('POST', tokens, {}))
}

/** Whether bad input is told apart by the row at all. */
function mindsInput({ id, parameters }: Endpoint): boolean {
  // Whatever is no token of anybody's has ended already.
  return Object.keys(parameters).length > 0 && id !== 'revokeToken'
}
