import type { Endpoint } from '../../../../src/http/endpoints/endpoint.ts'
import { methodsOf } from '../../../../src/http/endpoints/operation-docs.ts'
import type { Actors, Caller } from '../../../support/portal/actors.ts'
import type { Parameters } from '../../../support/portal/portal.ts'
import type { BothOrganizations } from './both-organizations.ts'
import { type Call, fillPath, type Place } from './call.ts'
import { type Case, usualIds, wantedRoles } from './expectations/case.ts'
import { rowsForApps } from './expectations/for-apps.ts'
import { forbidden, type Outcome } from './expectations/outcomes.ts'

/**
 * An app gets what a user gets who belongs to no group, or with every privilege, what the custom role with all of them gets:
 * where apps may call at all.
 */
function expectedOf(row: Endpoint, { expected, apps, mightyApp }: Case, caller: Caller): Outcome {
  if (caller !== 'app' && caller !== 'mightyApp') return expected[caller]
  if (caller === 'mightyApp' && mightyApp && rowsForApps.has(row.id)) return mightyApp
  if (row.token === 'none' || rowsForApps.has(row.id)) return apps ?? expected[caller === 'app' ? 'user' : 'everything']
  return forbidden
}

/** One case of a row, as one caller calls it. */
export class CallerCase {
  readonly row: Endpoint
  readonly on: Case
  readonly caller: Caller
  readonly actors: Actors
  readonly token: string | undefined
  readonly username: string
  readonly expected: Outcome

  constructor(organizations: BothOrganizations, row: Endpoint, on: Case, caller: Caller) {
    this.row = row
    this.on = on
    this.caller = caller
    this.actors = organizations[on.access ?? 'private']
    const { token, username } = this.actors.find(caller, wantedRoles(on))
    this.token = token
    this.username = username
    this.expected = expectedOf(row, on, caller)
  }

  get ids(): Readonly<Record<string, string>> {
    const { fixture } = this.actors
    return { ...usualIds(fixture), ...this.on.ids?.(fixture, this.username) }
  }

  get parameters(): Parameters {
    return this.on.parameters?.(this.actors.fixture) ?? {}
  }

  /** Whether POST of its path calls another row. */
  get isByGetAlone(): boolean {
    return methodsOf(this.row).join() === 'GET'
  }

  /** The caller's token at one place; the anonymous caller has none to put there. */
  at(place: Place): Call['tokens'] {
    return this.token === undefined ? {} : { [place]: this.token }
  }

  call(method: Call['method'], tokens: Call['tokens'], parameters = this.parameters): Call {
    return { method, path: fillPath(this.row.path, this.ids), parameters, tokens }
  }
}
