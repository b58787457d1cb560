import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../../src/http/endpoints/table.ts'
import { callers } from '../../../support/portal/actors.ts'
import { isReplicated } from '../../../support/portal/portal.ts'
import type { BothOrganizations } from './both-organizations.ts'
import { garbageFor, places } from './call.ts'
import { CallerCase } from './caller-case.ts'
import { type Check, findFailures } from './check.ts'
import { expectations } from './expectations/table.ts'

/** One case of so many is run on PostgreSQL: the outcome depends on row and rooms, whose stores have their own contract. */
const casesForOne = isReplicated ? 10 : 1

const cases = endpointTable
  .filter(({ id }) => expectations[id])
  .flatMap((row) => expectations[row.id]!.map((on) => ({ row, on, id: row.id, what: on.on })))
  .filter((_, at) => at % casesForOne === 0)

/** A test for each case of each operation: every caller gets what the contract says. */
export function checkCallers(organizations: () => BothOrganizations): void {
  describe.each(cases.map((one, position) => ({ ...one, position })))('$id', ({ row, on, position }) => {
    test(`answers each caller on ${on.on}`, async () => {
      const checks = callers.flatMap((caller, at) =>
        checksOf(new CallerCase(organizations(), row, on, caller), position + at),
      )
      expect(await findFailures(organizations()[on.access ?? 'private'], checks)).toBe('')
    })
  })
}

/**
 * A call as it should be and, of every second caller, one with bad input. The method, the place of the token and what is bad
 * take turns.
 */
function checksOf(of: CallerCase, turn: number): readonly Check[] {
  const { row, expected } = of
  const place = places[turn % places.length]!
  const isByGet = (row.effect === 'none' || row.isCalledByGet === true) && (turn >> 2) % 2 === 1
  const call =
    isByGet || of.isByGetAlone
      ? of.call('GET', of.at(place === 'body' ? 'query' : place))
      : of.call('POST', of.at(place))
  return [{ of, call, expected }, ...(turn % 2 === 0 ? withBadInput(of, (turn >> 1) % 2 === 1) : [])]
}

/** A caller who is refused gets the same for bad and for absent input; one who is not learns that it is bad. */
function withBadInput(of: CallerCase, isAbsent: boolean): readonly Check[] {
  const { row, expected } = of
  if (!mindsInput(row)) return []
  const mayCall = expected === 'ok'
  const given = isAbsent && !mayCall ? {} : garbageFor(row)
  const call = of.call('POST', of.at('x-esri-authorization'), given)
  return [{ of, call, expected: mayCall ? 'a refusal of its input' : expected }]
}

/** Whether the row refuses bad input at all. */
function mindsInput({ id, parameters }: Endpoint): boolean {
  // A value that is no token has ended already. Who may register an app depends on the item, which is a parameter.
  const isRead = Object.values(parameters).some(({ unused }) => unused === undefined)
  return isRead && id !== 'revokeToken' && id !== 'registerApp'
}
