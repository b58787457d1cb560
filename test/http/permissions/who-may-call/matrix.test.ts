import { describe, expect, test } from 'vitest'
import { endpointTable } from '../../../../src/http/endpoints/table.ts'
import { isReplicated } from '../../../support/portal/portal.ts'
import { useBothOrganizations } from './both-organizations.ts'
import { fillPath, idNames, places } from './call.ts'
import { CallerCase } from './caller-case.ts'
import { type Check, findFailures } from './check.ts'
import { checkCallers } from './check-callers.ts'
import { rowsForApps } from './expectations/for-apps.ts'
import {
  groupNotFound,
  itemNotFound,
  methodNotAllowed,
  notFound,
  ok,
  type Refusal,
  tokenInvalid,
  tokenRequired,
  userNotFound,
} from './expectations/outcomes.ts'
import { expectations } from './expectations/table.ts'

const organizations = useBothOrganizations()

test('every operation has its expectations, and every expectation its operation', () => {
  const ids = endpointTable.map(({ id }) => id)
  expect(Object.keys(expectations).toSorted()).toEqual(ids.toSorted())
  expect(Object.values(expectations).filter((cases) => cases.length === 0)).toEqual([])
})

test('apps may call what the contract lists, and nothing else', () => {
  const forApps = endpointTable.filter(({ isForApps }) => isForApps).map(({ id }) => id)
  expect(forApps.toSorted()).toEqual([...rowsForApps].toSorted())
})

checkCallers(organizations)

const guarded = endpointTable.filter(({ id, token }) => expectations[id] && token !== 'none')

test('what changes something is not called by GET', async () => {
  const rows = guarded.filter((row) => row.effect !== 'none' && !row.isCalledByGet && !row.sharesPath)
  const checks = rows.map((row): Check => {
    const of = new CallerCase(organizations(), row, expectations[row.id]![0]!, 'administrator')
    return { of, call: of.call('GET', of.at('query')), expected: methodNotAllowed }
  })
  for (const actors of [organizations().private, organizations().public]) {
    const here = checks.filter(({ of }) => of.actors === actors)
    expect(await findFailures(actors, here)).toBe('')
  }
})

/** Rows of each kind, as the place of a token and the token itself are read before the row is known to be more. */
const carrying = isReplicated
  ? []
  : ['optional', 'required'].map((token) => guarded.find((row) => row.token === token)!)

describe.each(carrying.map((row) => ({ row, id: row.id, token: row.token })))(
  '$id, whose token is $token',
  ({ row }) => {
    const [on] = expectations[row.id]!

    test('takes the same token in two places, and refuses two different ones', async () => {
      const of = new CallerCase(organizations(), row, on!, 'administrator')
      const { token, expected } = of
      const other = new CallerCase(organizations(), row, on!, 'outsider').token
      const checks = pairs(places).flatMap(([one, two]): readonly Check[] => [
        { of, call: of.call('POST', { [one]: token, [two]: token }), expected },
        { of, call: of.call('POST', { [one]: token, [two]: other }), expected: tokenInvalid },
        { of, call: of.call('POST', { [one]: other, [two]: token }), expected: tokenInvalid },
      ])
      expect(await findFailures(of.actors, checks)).toBe('')
    })

    test('takes no token from a cookie', async () => {
      const of = new CallerCase(organizations(), row, on!, 'anonymous')
      const { token } = new CallerCase(organizations(), row, on!, 'administrator')
      const headers = { cookie: `token=${token}; esri_auth=${token}` }
      const check = { of, call: { ...of.call('POST', {}), headers }, expected: of.expected }
      expect(await findFailures(of.actors, [check])).toBe('')
    })
  },
)

function pairs<Entry>(entries: readonly Entry[]): readonly (readonly [Entry, Entry])[] {
  return entries.flatMap((one, position) => entries.slice(position + 1).map((two) => [one, two] as const))
}

/** Refusals of unknown ids, where they are not the usual 404. */
const missing: Readonly<Record<string, Refusal>> = {
  groupId: groupNotFound,
  itemId: itemNotFound,
  username: userNotFound,
}

/** Whether the administrator is refused before the id is looked at: a version of a schema belongs to what has the schema. */
function isRefusedBefore({ row, expected }: CallerCase, name: string): boolean {
  return row.isAlwaysRefused === true || ((name === 'version' || name === 'draftId') && expected !== ok)
}

/** Ids of nothing: well-formed ones, and such as no resource ever has. */
const unknownIds = [
  '0'.repeat(32),
  'A'.repeat(16),
  'nobody',
  "' OR 1=1 --",
  '%00',
  '%25',
  'ä',
  '__proto__',
  'constructor',
]

const withIds = guarded.filter(({ path }) => path.includes(':'))

describe.each(withIds.map((row, position) => ({ row, id: row.id, position })))(
  '$id on what does not exist',
  ({ row, position }) => {
    const [on] = expectations[row.id]!

    test('is reported to administrators, and to no other caller', async () => {
      const refusals = { administrator: undefined, anonymous: tokenRequired, expiredToken: tokenInvalid } as const
      const checks = (Object.keys(refusals) as (keyof typeof refusals)[]).flatMap((caller) => {
        const of = new CallerCase(organizations(), row, on!, caller)
        // Other callers are refused before any id is looked at: one unknown id suffices for each.
        const ids = caller === 'administrator' ? unknownIds : [unknownIds[position % unknownIds.length]!]
        return idNames(row.path).flatMap((name) =>
          ids.map((id): Check => {
            const path = fillPath(row.path, { ...of.ids, [name]: id })
            const call = {
              ...(of.isByGetAlone ? of.call('GET', of.at('query')) : of.call('POST', of.at('body'))),
              path,
            }
            return {
              of,
              call,
              expected: refusals[caller] ?? missing[name] ?? (isRefusedBefore(of, name) ? of.expected : notFound),
            }
          }),
        )
      })
      expect(await findFailures(organizations()[on!.access ?? 'private'], checks)).toBe('')
    })
  },
)
