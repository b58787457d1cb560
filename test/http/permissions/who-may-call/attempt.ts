import type { Endpoint } from '../../../../src/http/endpoints/endpoint.ts'
import type { Changes } from '../../../support/databases/rewindable-tables.ts'
import { type Caller, type Cast, targets } from '../../../support/portal/cast.ts'
import type { Parameters } from '../../../support/portal/portal.ts'
import { type Call, fillPath, findError, isExpected, type Place, type Received, send, tellFailure } from './call.ts'
import { type Case, usualIds, wantedRoles } from './case.ts'
import type { Casts } from './casts.ts'
import type { Outcome } from './outcomes.ts'

/** A call, and what it gets. */
export interface Trial {
  readonly call: Call
  readonly expected: Outcome | 'a refusal of its input'
}

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

  /**
   * Requests on the world as it began; what is not as expected, in an answer or in the tables, is noted. Those that may
   * change something are sent one after the other, all others at once.
   */
  async try(trials: readonly Trial[]): Promise<void> {
    await this.#tryTogether(trials.filter((trial) => !this.#mayChange(trial)))
    for (const trial of trials) if (this.#mayChange(trial)) await this.#tryTogether([trial])
  }

  async #tryTogether(trials: readonly Trial[]): Promise<void> {
    if (trials.length === 0) return
    const { database, portal } = this.cast
    const answers = await Promise.all(trials.map(({ call }) => send(portal, call)))
    const changes = await database.rewind()
    for (const [position, trial] of trials.entries()) {
      const received = answers[position]!
      if (!fits(trial, received)) this.#note(trial, received)
    }
    const trace = this.#findTrace(trials, changes)
    if (trace) for (const trial of trials) this.#note(trial, trace)
  }

  #note({ call, expected }: Trial, received: Received | string): void {
    const wanted = expected === 'a refusal of its input' ? expected : JSON.stringify(expected)
    this.failures.push(tellFailure(this.caller, call, wanted, received))
  }

  /** What the tables tell of the calls that they should not. */
  #findTrace(trials: readonly Trial[], { audit, ...others }: Changes): string | undefined {
    const mayChange = trials.some((trial) => this.#mayChange(trial))
    if (!mayChange && Object.keys(others).length > 0) return `changed ${JSON.stringify(others)}`
    const added = (audit?.added ?? []).map(({ username, operation, outcome }) => ({ username, operation, outcome }))
    const due = trials.flatMap((trial) => this.#dueLines(trial))
    return inOrder(added) === inOrder(due) ? undefined : `audit ${JSON.stringify(added)}`
  }

  #mayChange({ call, expected }: Trial): boolean {
    return this.row.effect === 'change' && this.#isCalled(call) && expected === 'ok'
  }

  #isCalled({ method }: Call): boolean {
    return method === 'POST' || this.row.isCalledByGet === true
  }

  /** What a call leaves in the audit: one line, unless nobody known has made it. */
  #dueLines({ call, expected }: Trial): readonly object[] {
    const { row } = this
    if (row.effect === 'none' || !this.#isCalled(call)) return []
    // Where no token is looked at, whoever signs in or out is known by success alone.
    const username = row.token === 'none' ? targets.user : this.username
    if (row.token === 'none' && expected !== 'ok') return []
    if (expected === 'ok') return [{ username, operation: row.id, outcome: 200 }]
    const code = expected === 'a refusal of its input' ? 400 : expected.code
    return [405, 498, 499].includes(code) ? [] : [{ username, operation: row.id, outcome: code }]
  }
}

function fits({ expected }: Trial, received: Received): boolean {
  return expected === 'a refusal of its input' ? isCode(findError(received), 400) : isExpected(received, expected)
}

function isCode(error: unknown, code: number): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}

/** The same for the same lines, in whichever order they were written. */
function inOrder(lines: readonly object[]): string {
  return lines
    .map((line) => JSON.stringify(line))
    .toSorted()
    .join()
}
