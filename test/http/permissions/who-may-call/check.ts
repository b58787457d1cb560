import type { Changes } from '../../../support/databases/rewindable-tables.ts'
import { type Actors, targets } from '../../../support/portal/actors.ts'
import { type Call, findError, formatFailure, isExpected, type Received, send } from './call.ts'
import type { CallerCase } from './caller-case.ts'
import type { Outcome } from './expectations/outcomes.ts'

/** A call, and its expected outcome. */
export interface Check {
  readonly of: CallerCase
  readonly call: Call
  readonly expected: Outcome | 'a refusal of its input'
}

/**
 * Sends the calls to the organization as it began; resolves with what is not as expected, in an answer or in the tables. Calls
 * that may change something are sent one after the other, all others concurrently.
 */
export async function findFailures(actors: Actors, checks: readonly Check[]): Promise<string> {
  const failures = await findFailuresTogether(
    actors,
    checks.filter((check) => !mayChange(check)),
  )
  for (const check of checks.filter(mayChange)) failures.push(...(await findFailuresTogether(actors, [check])))
  return failures.join('\n')
}

async function findFailuresTogether({ database, portal }: Actors, checks: readonly Check[]): Promise<string[]> {
  const answers = await Promise.all(checks.map(({ call }) => send(portal, call)))
  const changes = await database.rewind()
  const failures = checks.flatMap((check, position): string[] => {
    const received = answers[position]!
    return isAsExpected(check, received) ? [] : [formatCheck(check, received)]
  })
  const trace = findTrace(checks, changes)
  return trace ? [...failures, ...checks.map((check) => formatCheck(check, trace))] : failures
}

function formatCheck({ of, call, expected }: Check, received: Received | string): string {
  const wanted = expected === 'a refusal of its input' ? expected : JSON.stringify(expected)
  return formatFailure(of.caller, call, wanted, received)
}

/** Finds changes of the tables that the calls should not have made. */
function findTrace(checks: readonly Check[], { audit, ...others }: Changes): string | undefined {
  if (!checks.some(mayChange) && Object.keys(others).length > 0) return `changed ${JSON.stringify(others)}`
  const entries = (audit?.added ?? []).map(({ username, operation, outcome }) => ({ username, operation, outcome }))
  const isAlone = checks.length === 1 && checks[0]!.expected === 'ok' && hasSeveralTargets.has(checks[0]!.of.row.id)
  const added = isAlone ? withoutRefusedParts(entries) : entries
  return isSameInAnyOrder(added, checks.flatMap(dueEntries)) ? undefined : `audit ${JSON.stringify(added)}`
}

/** Calls that refuse some of their targets and do the others, with an entry for either. */
const hasSeveralTargets = new Set(
  ['deleteItems', 'shareItems', 'unshareItems', 'updateItems', 'updateGroupItems', 'revertHistoryEntry'].concat(
    ['inviteUsers', 'disableUsers', 'enableUsers', 'removeUsers'],
    ['addGroupUsers', 'removeGroupUsers', 'updateGroupUsers'],
  ),
)

interface Entry {
  readonly username: unknown
  readonly operation: unknown
  readonly outcome: unknown
}

/** One entry of success for those of a call that is sent alone. */
function withoutRefusedParts(entries: readonly Entry[]): readonly Entry[] {
  const [first] = entries
  const isOfOneCall = entries.every(
    ({ username, operation }) => username === first?.username && operation === first?.operation,
  )
  return first && isOfOneCall ? [{ ...first, outcome: 200 }] : entries
}

function mayChange({ of, call, expected }: Check): boolean {
  return of.row.effect === 'change' && isTaken(of, call) && expected === 'ok'
}

function isTaken({ row }: CallerCase, { method }: Call): boolean {
  return method === 'POST' || row.isCalledByGet === true
}

/** Whether the call is a dry run, if only because it does not say otherwise. */
function isDryRun({ row }: CallerCase, { parameters }: Call): boolean {
  const given = parameters['dryRun']
  return row.parameters['dryRun']?.read(given === undefined ? undefined : String(given)) === true
}

/** Whether the call renews a token: it lets in no one who is not there. */
function isRenewal({ parameters }: Call): boolean {
  return parameters['grant_type'] === 'refresh_token'
}

/** Audit entries due for a call: one, unless the caller is unknown, or it is a dry run or a renewal. */
function dueEntries({ of, call, expected }: Check): readonly object[] {
  const { row } = of
  if (row.effect === 'none' || !isTaken(of, call) || isDryRun(of, call) || isRenewal(call)) return []
  if (row.token === 'none') {
    // No token is looked at: the user is known by a sign-in or sign-out that succeeds.
    return expected === 'ok' ? [{ username: targets.user, operation: row.id, outcome: 200 }] : []
  }
  const outcome = expected === 'ok' ? 200 : expected === 'a refusal of its input' ? 400 : expected.code
  return [405, 498, 499].includes(outcome) ? [] : [{ username: of.username, operation: row.id, outcome }]
}

function isAsExpected({ of, expected }: Check, received: Received): boolean {
  return expected === 'a refusal of its input'
    ? isCode(findError(received), 400)
    : isExpected(of.row, received, expected)
}

function isCode(error: unknown, code: number): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}

function isSameInAnyOrder(some: readonly object[], others: readonly object[]): boolean {
  const sorted = (entries: readonly object[]) => entries.map((entry) => JSON.stringify(entry)).toSorted()
  return sorted(some).join() === sorted(others).join()
}
