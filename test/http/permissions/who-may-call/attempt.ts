import type { Endpoint } from '../../../../src/http/endpoints/endpoint.ts'
import type { Changes } from '../../../support/databases/rewindable-tables.ts'
import { type Caller, type Cast, targets } from '../../../support/portal/cast.ts'
import type { Parameters } from '../../../support/portal/portal.ts'
import { type Call, fillPath, findError, isExpected, type Place, send, tellFailure } from './call.ts'
import { type Case, usualIds, wantedRoles } from './case.ts'
import type { Casts } from './casts.ts'
import type { Outcome } from './outcomes.ts'

/** One caller before one row, on the resource of the case. */
export class Attempt {
  readonly row: Endpoint
  readonly on: Case
  readonly caller: Caller
  readonly cast: Cast
  readonly token: string | undefined
  readonly username: string
  readonly expected: Outcome
  readonly failures: string[] = []

  constructor(casts: Casts, row: Endpoint, on: Case, caller: Caller) {
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
    const received = await send(portal, call)
    const changes = await database.rewind()
    const wanted = expected === 'a refusal of its input' ? expected : JSON.stringify(expected)
    const fits =
      expected === 'a refusal of its input' ? isCode(findError(received), 400) : isExpected(received, expected)
    if (!fits) this.failures.push(tellFailure(this.caller, call, wanted, received))
    const trace = this.#findTrace(call, expected, changes)
    if (trace) this.failures.push(tellFailure(this.caller, call, wanted, trace))
  }

  /** What the tables tell that they should not. */
  #findTrace(
    call: Call,
    expected: Outcome | 'a refusal of its input',
    { audit, ...others }: Changes,
  ): string | undefined {
    const { effect, isCalledByGet } = this.row
    const isAudited = effect !== 'none' && (call.method === 'POST' || isCalledByGet)
    const mayChange = isAudited && effect === 'change' && expected === 'ok'
    if (!mayChange && Object.keys(others).length > 0) return `changed ${JSON.stringify(others)}`
    const lines = (audit?.added ?? []).map(({ username, operation, outcome }) => ({ username, operation, outcome }))
    const due = isAudited ? this.#dueLines(expected) : []
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
