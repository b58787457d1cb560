import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../../src/http/endpoints/table.ts'
import { isReplicated } from '../../../support/portal/portal.ts'
import type { ActorGroups } from './actor-groups.ts'
import type { BothOrganizations } from './both-organizations.ts'
import { garbageFor, places } from './call.ts'
import { CallerCase } from './caller-case.ts'
import { type Check, findFailures } from './check.ts'
import { methodNotAllowed } from './expectations/outcomes.ts'
import { expectations } from './expectations/table.ts'

const rows = endpointTable.filter(({ id }) => expectations[id])
const cases = rows.flatMap((row) => expectations[row.id]!.map((on) => ({ row, on, id: row.id, what: on.on })))

/** A test for each case of each operation and each group of callers. */
export function checkCallers(groups: ActorGroups, organizations: () => BothOrganizations): void {
  describe.each(cases)('$id on $what', ({ row, on }) => {
    test.each(Object.entries(groups))('answers %s as the contract says', async (_, callers) => {
      const checks = callers.flatMap((caller) => checksOf(new CallerCase(organizations(), row, on, caller)))
      expect(await findFailures(organizations()[on.access ?? 'private'], checks)).toBe('')
    })
  })
}

/**
 * On SQLite, everything that a caller can vary. Where a token travels, methods and bad input are judged before any
 * database is asked: on PostgreSQL each caller calls once, each with the token in the next place.
 */
function checksOf(of: CallerCase): readonly Check[] {
  return isReplicated ? [atNextPlace(of)] : [...atEveryPlace(of), ...withBadInput(of)]
}

let turn = 0

function atNextPlace(of: CallerCase): Check {
  turn += 1
  return { of, call: of.call('POST', of.at(places[turn % places.length]!)), expected: of.expected }
}

/** By every method and with the token in every place the caller gets the same. */
function atEveryPlace(of: CallerCase): readonly Check[] {
  const { row, expected } = of
  return (of.token === undefined ? places.slice(0, 1) : places).flatMap((place): readonly Check[] => {
    const post = { of, call: of.call('POST', of.at(place)), expected }
    const get = of.call('GET', of.at(place))
    if (place === 'body') return [post]
    if (row.effect === 'none' || row.isCalledByGet) return [post, { of, call: get, expected }]
    return place === 'query' ? [post, { of, call: get, expected: methodNotAllowed }] : [post]
  })
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
