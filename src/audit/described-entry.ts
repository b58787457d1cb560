import type { AuditEntry } from '../call/audit-entry.ts'
import { type AuditedOperation, auditedOperations, type TargetType } from './actions.ts'

/** Members derived from an entry; they are not stored. */
export interface EntryDescription {
  /** Undefined for an operation that this version does not know. */
  readonly type: TargetType | undefined
  readonly action: string
  readonly succeeded: boolean
  /** Ids of the targets, or usernames; of the organization, its id also where the path has `self`. */
  readonly ids: readonly string[]
}

/** The part of a path before the id of a target. */
const segmentOf: Readonly<Record<TargetType, string>> = {
  a: 'portals',
  app: 'apps',
  c: 'collaborations',
  cp: 'participants',
  cpg: 'workspaces',
  cw: 'workspaces',
  cwp: 'participants',
  g: 'groups',
  i: 'items',
  idp: 'idp',
  inv: 'invitations',
  r: 'roles',
  u: 'users',
  w: 'webhooks',
}

type Described = Pick<AuditEntry, 'operation' | 'outcome' | 'target' | 'portalId' | 'username' | 'data'>

export function describeEntry(entry: Described): EntryDescription {
  const operation: AuditedOperation | undefined = operations.get(entry.operation)
  const succeeded = entry.outcome === 200
  const action = (succeeded ? undefined : operation?.refusal) ?? operation?.action ?? entry.operation
  return { type: operation?.type, action, succeeded, ids: operation ? listIds(entry, operation.type) : [] }
}

const operations: ReadonlyMap<string, AuditedOperation> = new Map(Object.entries(auditedOperations))

function listIds({ target, portalId, username, data }: Described, type: TargetType): readonly string[] {
  const named = data?.targets
  if (Array.isArray(named)) return named.filter((id) => typeof id === 'string')
  const [path = ''] = target.split('?', 1)
  const segments = path.split('/')
  const at = segments.lastIndexOf(segmentOf[type])
  const given = at === -1 ? '' : (segments[at + 1] ?? '')
  if (type === 'a') return [given === '' || given === 'self' ? (portalId ?? '') : given].filter(Boolean)
  // A sign-in has no other target than the user who signs in.
  if (at === -1 && type === 'u' && username !== undefined) return [username]
  return given.split(',').filter(Boolean)
}
