import type { AuditEntry } from '../../../src/call/audit-entry.ts'
import type { Draw } from '../search/random-items.ts'

/** An entry with what it is about, as it was drawn: the oracle reads nothing out of the entry. */
export interface DrawnEntry {
  readonly entry: AuditEntry
  readonly portalId: string | undefined
  readonly type: string
  readonly action: string
  readonly succeeded: boolean
  readonly ids: readonly string[]
  /** Words of the comment, in lower case. */
  readonly comment: readonly string[]
}

export const portals = ['PortalOfMaps0001', 'OtherPortal00002'] as const
export const users = ['anna', 'Bruno', 'carla@example.org', 'DORA'] as const
export const owners = ['a1', 'b2', 'c3'] as const
export const addresses = ['192.0.2.7', '192.0.2.70', '2001:db8::1'] as const
export const ids = ['0f', '1e', '2d', '3c', '4b'] as const
export const comments = ['rivers', 'and', 'lakes', 'moved', 'anna'] as const

/** Operations with the path of a target, written out. */
const operations = [
  ['updateGroup', 'g', 'update', 'update', (id) => `/community/groups/${id}/update`],
  ['deleteGroup', 'g', 'delete', 'delete', (id) => `/community/groups/${id}/delete`],
  ['updateItem', 'i', 'update', 'update', (id) => `/content/users/anna/items/${id}/update`],
  ['updateUser', 'u', 'update', 'update', (id) => `/community/users/${id}/update`],
  ['setRolePrivileges', 'r', 'setPrivileges', 'setPrivileges', (id) => `/portals/self/roles/${id}/setPrivileges`],
  [
    'invalidateInvitation',
    'inv',
    'invalidate',
    'invalidate',
    (id) => `/portals/x/collaborations/9/invitations/${id}/invalidate`,
  ],
  ['assignPortalCategorySchema', 'a', 'assignCategorySchema', 'assignCategorySchema', undefined],
  ['generateToken', 'u', 'login', 'failedlogin', undefined],
] as const satisfies readonly (readonly [string, string, string, string, ((id: string) => string) | undefined])[]

export const operationNames = operations.map(([name]) => name)
export const actionNames = operations.flatMap(([, , action, refusal]) => [action, refusal])
export const typeNames = ['g', 'i', 'u', 'r', 'inv', 'a', 'idp'] as const

export const start = 1_768_478_400_000

/** Mostly later than the one before; now and then the clock is wrong. */
export function drawEntry(draw: Draw, count: number): DrawnEntry {
  const [operation, type, action, refusal, path] = draw.one(operations)
  const portalId = draw.once(20) ? undefined : draw.one(portals)
  const username = draw.once(10) ? undefined : draw.one(users)
  const succeeded = !draw.once(4)
  const id = draw.one(ids)
  const comment = draw.once(3) ? [draw.one(comments), draw.one(comments)] : []
  const targets = path && draw.once(8) ? [draw.one(ids), draw.one(ids)] : undefined
  const own = type === 'a' ? [portalId ?? []].flat() : [username ?? []].flat()
  const entry: AuditEntry = {
    at: start + (draw.once(50) ? draw.below(5_000) : count) * 1_000,
    username,
    portalId,
    address: draw.one(addresses),
    operation,
    target: path ? path(id) : type === 'a' ? '/portals/self/assignCategorySchema' : '/generateToken',
    outcome: succeeded ? 200 : draw.one([400, 403, 409]),
    requestId: `request-${count}`,
    ...(draw.once(2) ? { ownerId: draw.one(owners) } : {}),
    ...(comment.length > 0 || targets
      ? {
          data: {
            version: count,
            ...(comment.length > 0 && { comment: comment.join(', ').toUpperCase() }),
            ...(targets && { targets }),
          },
        }
      : {}),
  }
  const named = path ? (targets ?? [id]) : own
  return { entry, portalId, type, action: succeeded ? action : refusal, succeeded, ids: named, comment }
}
