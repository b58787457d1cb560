import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../../src/http/endpoints/table.ts'
import { callers } from '../../../support/portal/actors.ts'
import { isReplicated } from '../../../support/portal/portal.ts'
import type { BothOrganizations } from './both-organizations.ts'
import { garbageFor, type Place, places } from './call.ts'
import { CallerCase } from './caller-case.ts'
import { type Check, findFailures } from './check.ts'
import { expectations } from './expectations/table.ts'

/** On PostgreSQL, one of so many: the outcome is the row's and the rooms', whose stores have a contract of their own. */
const casesForOne = isReplicated ? 10 : 1

const cases = endpointTable
  .filter(({ id }) => expectations[id])
  .flatMap((row) => expectations[row.id]!.map((on) => ({ row, on, id: row.id, what: on.on })))
  .filter((_, at) => at % casesForOne === 0)

/** A test for each case of each operation, in two halves: every caller gets what the contract says. */
export function checkCallers(half: 0 | 1, organizations: () => BothOrganizations): void {
  describe.each(cases.filter((_, at) => at % 2 === half))('$id', ({ row, on }) => {
    test(`answers each caller on ${on.on}`, async () => {
      const checks = callers.flatMap((caller, at) =>
        checksOf(new CallerCase(organizations(), row, on, caller), places[(at + half) % places.length]!),
      )
      expect(await findFailures(organizations()[on.access ?? 'private'], checks)).toBe('')
    })
  })
}

/** By every method that the row takes, with the token in one place; and with bad input. */
function checksOf(of: CallerCase, place: Place): readonly Check[] {
  const { row, expected } = of
  const post: Check = { of, call: of.call('POST', of.at(place)), expected }
  const isReadByGet = row.effect === 'none' || row.isCalledByGet
  const get: Check = { of, call: of.call('GET', of.at(place === 'body' ? 'query' : place)), expected }
  return [post, ...(isReadByGet ? [get] : []), ...withBadInput(of)]
}

/** A caller who is refused gets the same for bad and for absent input; one who is not learns that it is bad. */
function withBadInput(of: CallerCase): readonly Check[] {
  const { row, expected } = of
  if (!mindsInput(row)) return []
  const tokens = of.at('x-esri-authorization')
  const bad = of.call('POST', tokens, garbageFor(row))
  if (expected === 'ok') return [{ of, call: bad, expected: 'a refusal of its input' }]
  return [
    { of, call: bad, expected },
    { of, call: of.call('POST', tokens, {}), expected },
  ]
}

/** Whether bad input is told apart by the row at all. */
function mindsInput({ id, parameters }: Endpoint): boolean {
  // What is no token has ended already. Who may register an app depends on the item, which is a parameter.
  return Object.keys(parameters).length > 0 && id !== 'revokeToken' && id !== 'registerApp'
}
