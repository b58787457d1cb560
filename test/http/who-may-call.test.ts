import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../src/http/operation.ts'
import { operationTable } from '../../src/http/operation-table.ts'
import { type Caller, type Cast, startCast, targets } from '../support/cast.ts'
import type { Parameters } from '../support/portal.ts'
import {
  type Call,
  fillPath,
  findError,
  garbageFor,
  idNames,
  isExpected,
  type Place,
  places,
  send,
  tellFailure,
} from './who-may-call/call.ts'
import { type Case, lots, usualIds, wantedRoles } from './who-may-call/case.ts'
import { expectations } from './who-may-call/expectations.ts'
import {
  groupNotFound,
  methodNotAllowed,
  notFound,
  type Outcome,
  tokenInvalid,
  tokenRequired,
} from './who-may-call/outcomes.ts'

const rows = operationTable.filter(({ id }) => expectations[id])

/** The same people twice, in a private and in a public organization. Every request finds them as they began. */
let casts: Readonly<Record<'private' | 'public', Cast>>

beforeAll(async () => {
  const cases = Object.values(expectations).flat()
  casts = {
    private: await startCast('private', cases.filter(({ access }) => access === undefined).map(wantedRoles)),
    public: await startCast('public', cases.filter(({ access }) => access === 'public').map(wantedRoles)),
  }
})

afterAll(async () => {
  await casts.private[Symbol.asyncDispose]()
  await casts.public[Symbol.asyncDispose]()
})

test('every operation has its expectations, and every expectation its operation', () => {
  const ids = operationTable.map(({ id }) => id)
  expect(Object.keys(expectations).toSorted()).toEqual(ids.toSorted())
  expect(Object.values(expectations).filter((cases) => cases.length === 0)).toEqual([])
})

/** Operations that the audit has a line of, and that change nothing else. */
const looksOnly = new Set(['validateCollaborationInvitation', 'validateInvitationResponse', 'exportInvitationResponse'])

/** One caller before one row, on the resource of the case. */
class Scene {
  readonly row: Operation
  readonly on: Case
  readonly caller: Caller
  readonly cast: Cast
  readonly token: string | undefined
  readonly username: string
  readonly expected: Outcome
  readonly failures: string[] = []

  constructor(row: Operation, on: Case, caller: Caller) {
    this.row = row
    this.on = on
    this.caller = caller
    this.cast = casts[on.access ?? 'private']
    const { token, username } = this.cast.person(caller, wantedRoles(on))
    this.token = token
    this.username = username
    this.expected = on.expected[caller]
  }

  get ids(): Readonly<Record<string, string>> {
    const { scene } = this.cast
    return { ...usualIds(scene), ...this.on.ids?.(scene, this.username) }
  }

  get parameters(): Parameters {
    return this.on.parameters?.(this.cast.scene) ?? {}
  }

  /** The caller's token at one place; the anonymous caller has none to put there. */
  at(place: Place): Call['tokens'] {
    return this.token === undefined ? {} : { [place]: this.token }
  }

  call(method: Call['method'], tokens: Call['tokens'], parameters = this.parameters): Call {
    return { method, path: fillPath(this.row.path, this.ids), parameters, tokens }
  }

  /** One request on the world as it began; what is not as expected, in the answer or in the tables, is noted. */
  async try(call: Call, expected: Outcome | 'a refusal of its input' = this.expected): Promise<void> {
    const { database, portal } = this.cast
    database.rewind()
    const received = await send(portal, call)
    const wanted = expected === 'a refusal of its input' ? expected : JSON.stringify(expected)
    const fits =
      expected === 'a refusal of its input' ? isCode(findError(received), 400) : isExpected(received, expected)
    if (!fits) this.failures.push(tellFailure(this.caller, call, wanted, received))
    const trace = this.#findTrace(call, expected)
    if (trace) this.failures.push(tellFailure(this.caller, call, wanted, trace))
  }

  /** What the tables tell that they should not. */
  #findTrace(call: Call, expected: Outcome | 'a refusal of its input'): string | undefined {
    const { audit, ...others } = this.cast.database.changes()
    const isWrite = this.row.kind === 'operation' && (call.method === 'POST' || this.row.isCalledByGet)
    const mayChange = isWrite && expected === 'ok' && !looksOnly.has(this.row.id)
    if (!mayChange && Object.keys(others).length > 0) return `changed ${JSON.stringify(others)}`
    const lines = (audit?.added ?? []).map(({ username, operation, outcome }) => ({ username, operation, outcome }))
    const due = isWrite ? this.#dueLines(expected) : []
    return JSON.stringify(lines) === JSON.stringify(due) ? undefined : `audit ${JSON.stringify(lines)}`
  }

  /** What a call leaves in the audit: one line, unless nobody known has made it. */
  #dueLines(expected: Outcome | 'a refusal of its input'): readonly object[] {
    const { row } = this
    // Where no token is looked at, whoever signs in or out is known by success alone.
    const username = row.token === 'none' ? targets.user : this.username
    if (row.token === 'none' && expected !== 'ok') return []
    if (expected === 'ok') return [{ username, operation: row.id, outcome: 200 }]
    const code = expected === 'a refusal of its input' ? 400 : expected.code
    return [405, 498, 499].includes(code) ? [] : [{ username, operation: row.id, outcome: code }]
  }
}

function isCode(error: unknown, code: number): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}

/** Whether bad input is told apart by the row at all. */
function mindsInput({ id, parameters }: Operation): boolean {
  // Whatever is no token of anybody's has ended already.
  return Object.keys(parameters).length > 0 && id !== 'revokeToken'
}

describe.each(rows.flatMap((row) => expectations[row.id]!.map((on) => ({ row, on, id: row.id, what: on.on }))))(
  '$id on $what',
  ({ row, on }) => {
    test.each(Object.entries(lots))('answers %s as the contract says', async (_, lot) => {
      const failures: string[] = []
      for (const caller of lot) {
        const scene = new Scene(row, on, caller)
        await tryPlaces(scene)
        await tryInput(scene)
        failures.push(...scene.failures)
      }
      expect(failures.join('\n')).toBe('')
    })
  },
)

/** By every method and with the token in every place the caller gets the same. */
async function tryPlaces(scene: Scene): Promise<void> {
  const { row } = scene
  for (const place of scene.token === undefined ? places.slice(0, 1) : places) {
    await scene.try(scene.call('POST', scene.at(place)))
    if (place === 'body') continue
    if (row.kind === 'resource' || row.isCalledByGet) await scene.try(scene.call('GET', scene.at(place)))
    else if (place === 'query') await scene.try(scene.call('GET', scene.at(place)), methodNotAllowed)
  }
}

/** Who is refused gets the same for bad and for absent input; who is not learns that it is bad. */
async function tryInput(scene: Scene): Promise<void> {
  if (!mindsInput(scene.row)) return
  const tokens = scene.at('x-esri-authorization')
  const garbage = garbageFor(scene.row)
  if (scene.expected === 'ok') return scene.try(scene.call('POST', tokens, garbage), 'a refusal of its input')
  await scene.try(scene.call('POST', tokens, garbage))
  await scene.try(scene.call('POST', tokens, {}))
}

const guarded = rows.filter(({ token }) => token !== 'none')

describe.each(guarded.map((row) => ({ row, id: row.id })))('$id', ({ row }) => {
  const [on] = expectations[row.id]!

  test('takes the same token in two places, and refuses two different ones', async () => {
    const scene = new Scene(row, on!, 'administrator')
    const other = new Scene(row, on!, 'outsider').token
    for (const [one, two] of pairs(places)) {
      await scene.try(scene.call('POST', { [one]: scene.token, [two]: scene.token }))
      await scene.try(scene.call('POST', { [one]: scene.token, [two]: other }), tokenInvalid)
      await scene.try(scene.call('POST', { [one]: other, [two]: scene.token }), tokenInvalid)
    }
    expect(scene.failures.join('\n')).toBe('')
  })

  test('takes no token from a cookie', async () => {
    const scene = new Scene(row, on!, 'anonymous')
    const { token } = new Scene(row, on!, 'administrator')
    await scene.try({ ...scene.call('POST', {}), headers: { cookie: `token=${token}; esri_auth=${token}` } })
    expect(scene.failures.join('\n')).toBe('')
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
      const [admin, anonymous, expired] = (['administrator', 'anonymous', 'expiredToken'] as const).map(
        (caller) => new Scene(row, on!, caller),
      )
      for (const name of idNames(row.path)) {
        for (const id of unknownIds) {
          const path = fillPath(row.path, { ...admin!.ids, [name]: id })
          const call = { ...admin!.call('POST', admin!.at('body')), path }
          await admin!.try(call, name === 'groupId' ? groupNotFound : notFound)
          await anonymous!.try({ ...call, tokens: {} }, tokenRequired)
          await expired!.try({ ...call, tokens: expired!.at('body') }, tokenInvalid)
        }
      }
      expect([admin, anonymous, expired].flatMap((scene) => scene!.failures).join('\n')).toBe('')
    })
  },
)
