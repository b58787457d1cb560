import * as categories from '../categories/operations.ts'
import * as guests from '../collaborations/guest-operations.ts'
import * as invitations from '../collaborations/invitation-operations.ts'
import * as collaborations from '../collaborations/operations.ts'
import * as participants from '../collaborations/participant-operations.ts'
import * as responses from '../collaborations/response-operations.ts'
import * as workspaces from '../collaborations/workspace-operations.ts'
import type { Account, Caller } from '../directory/caller.ts'
import * as groups from '../directory/group-operations.ts'
import * as members from '../directory/member-operations.ts'
import * as portals from '../directory/portal-operations.ts'
import * as roles from '../directory/role-operations.ts'
import * as users from '../directory/user-operations.ts'
import { operationRefused, tokenInvalid } from '../errors.ts'
import type { AuditEntry, Stores } from '../storage/storage.ts'
import * as tokens from '../tokens/operations.ts'
import type { RoomOperation } from './operation.ts'

/** A write of a request as plain values: it may be done in another thread. */
export interface Errand {
  /** Name of the room's operation. */
  readonly operation: string
  readonly input: unknown
  /** Undefined for an anonymous caller. */
  readonly tokenHash: string | undefined
  /** Why the request could not be read: an operation without parameters has not looked. */
  readonly problems: readonly string[]
  /** What the audit is told if it is done, but for who called. */
  readonly entry: AuditEntry
}

type Operations = ReadonlyMap<string, RoomOperation<unknown, unknown>>

const directory = [groups, members, portals, roles, users]
const handshake = [invitations, guests, responses]
const operations: Operations = byName([
  tokens,
  ...directory,
  categories,
  collaborations,
  workspaces,
  participants,
  ...handshake,
])

function byName(rooms: readonly object[]): Operations {
  const named = new Map<string, RoomOperation<unknown, unknown>>()
  for (const operation of rooms.flatMap((room) => Object.values(room))) {
    if (typeof operation !== 'function') continue
    if (named.has(operation.name)) throw new Error(`Two operations have the name ${operation.name}.`)
    named.set(operation.name, operation)
  }
  return named
}

/** The name by which an operation is found again in another thread. */
export function nameOf(operation: RoomOperation<never, unknown>): string {
  if (operations.get(operation.name) === operation) return operation.name
  throw new Error(`The operation ${operation.name} is in none of the rooms' files.`)
}

/** Runs the operation and writes the audit, for whoever the token says. */
export async function performErrand(stores: Stores, errand: Errand): Promise<unknown> {
  const { operation, input, tokenHash, problems, entry } = errand
  const caller = tokenHash === undefined ? undefined : await requireKnownCaller(stores, tokenHash, entry.at)
  const output = await operations.get(operation)!(stores, { caller, now: entry.at }, input)
  if (problems.length > 0) throw operationRefused(...problems)
  await stores.audit.add({ ...withCaller(entry, caller), ...findAccount(output) })
  return output
}

export interface Refusal {
  readonly tokenHash: string
  /** What the audit is told, but for who called. */
  readonly entry: AuditEntry
}

/** Writes the audit of a refusal, if it was a known caller's. */
export async function recordRefusal(stores: Stores, { tokenHash, entry }: Refusal): Promise<void> {
  const caller = await tokens.findCaller(stores, tokenHash, entry.at)
  if (caller) await stores.audit.add(withCaller(entry, caller))
}

/** The caller, or 498. */
export async function requireKnownCaller(stores: Stores, tokenHash: string, now: number): Promise<Caller> {
  const caller = await tokens.findCaller(stores, tokenHash, now)
  if (!caller) throw tokenInvalid()
  return caller
}

function withCaller(entry: AuditEntry, caller: Caller | undefined): AuditEntry {
  return { ...entry, username: entry.username ?? caller?.username, portalId: entry.portalId ?? caller?.portalId }
}

/** What an operation has told of itself. */
function findAccount(output: unknown): Account {
  return (typeof output === 'object' && output !== null && 'account' in output ? output.account : {}) as Account
}
