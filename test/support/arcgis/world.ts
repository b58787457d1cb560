/** Memory of an ArcGIS portal of tests: people, groups, schemas, items and tokens, and how it misbehaves. */

export type PortalKind = 'online' | 'enterprise'

export interface Node {
  title?: string
  description?: string
  source?: string
  categories?: Node[]
}

export interface Schema {
  categorySchema: Node[]
}

export interface Item {
  readonly id: string
  title: string
  readonly type: string
  readonly owner: string
  /** Organization that the item belongs to. */
  readonly orgId: string
  readonly created: number
  modified: number
  categories: readonly string[]
  /** Categories in each group that the item is shared with. */
  readonly inGroups: Map<string, readonly string[]>
  /** Further documented members, such as `snippet`, `tags`, `access` and `size`. */
  described: Readonly<Record<string, unknown>>
  /** Data of the item, where it has any. */
  text?: string
}

export interface Group {
  readonly id: string
  readonly title: string
  readonly owner: string
  readonly orgId: string
  /** Further documented members, such as `tags`, `snippet` and `access`. */
  described: Readonly<Record<string, unknown>>
  admins: readonly string[]
  users: readonly string[]
}

export interface Collaboration {
  readonly id: string
  readonly name: string
  readonly created: number
  readonly workspaces: readonly { readonly id: string; readonly name: string }[]
  readonly invitations: Map<string, Invitation>
}

export interface Invitation {
  readonly id: string
  readonly guestPortalUrl: string
  readonly workspaces: unknown
  readonly created: number
  status: string
  expiration: number
  revision: number
}

/** Entry of the log of the organization. */
export interface LogEntry {
  readonly created: number
  readonly actor: string
  readonly action: string
}

export interface User {
  readonly username: string
  readonly password: string
  readonly role: 'org_admin' | 'org_publisher' | 'org_user'
}

export interface Token {
  readonly username: string | undefined
  readonly clientId: string | undefined
  /** Header that each request with it needs. */
  readonly referer: string | undefined
  isOver: boolean
}

/** Habits of real portals, seen in public threads; each is off unless it is named. */
export interface Quirks {
  /** Empty lists of subcategories are not kept. */
  losesEmptyLists?: boolean
  /** Members of a category come back in another order. */
  reordersMembers?: boolean
  /** Categories come back with members that were not sent. */
  addsMembers?: boolean
  /** Schema that is kept in place of an assigned one, with success. */
  keepsInstead?: (schema: Schema) => Schema
  /** Number of searches that a change of an item takes to come into the index. */
  indexLag?: number
  /** A path that is no more in the schema finds nothing. */
  forgetsLostPaths?: boolean
  /** Paths that `updateItems` and `updateCategories` drop with success (python-api#1500). */
  drops?: (path: string) => boolean
  /** Ties of the order, and results without an order, come differently in each answer, so pages overlap. */
  hasUnstableOrder?: boolean
  /** `invalidate` answers with success and does nothing. */
  keepsInvitations?: boolean
  /** Errors have their code as HTTP status, and not 200. */
  hasErrorStatus?: boolean
}

/** Number of results that can be paged through; later pages are the first ones again (python-api#532). */
export const searchWindow = 10_000

export class World {
  readonly kind: PortalKind
  readonly id: string
  readonly name: string
  readonly users = new Map<string, User>()
  readonly groups = new Map<string, Group>()
  readonly items = new Map<string, Item>()
  readonly tokens = new Map<string, Token>()
  readonly collaborations = new Map<string, Collaboration>()
  readonly log: LogEntry[] = []
  /** Apps by client id, with their secrets. */
  readonly apps = new Map<string, string>()
  /** Schemas of the organization and of groups, by their ids. */
  readonly schemas = new Map<string, Schema>()
  readonly quirks: Quirks
  #clock = Date.now()
  #lastId = 0

  constructor(kind: PortalKind, quirks: Quirks) {
    this.kind = kind
    this.quirks = quirks
    this.id = kind === 'online' ? 'Gr1dTownAAAAAAAA' : '0123456789ABCDEF'
    this.name = kind === 'online' ? 'Gridtown' : 'Gridtown Enterprise'
  }

  /** Each change has a time of its own. */
  now(): number {
    this.#clock += 1_000
    return this.#clock
  }

  nextId(): string {
    this.#lastId += 1
    return this.#lastId.toString(16).padStart(32, '0')
  }

  addUser(username: string, role: User['role'] = 'org_admin'): User {
    const user = { username, password: `password of ${username}`, role }
    this.users.set(username, user)
    return user
  }

  addGroup(title: string, owner: string): Group {
    const group: Group = {
      ...{ id: this.nextId(), title, owner, orgId: this.id },
      ...{ described: {}, admins: [owner], users: [] },
    }
    this.groups.set(group.id, group)
    return group
  }

  /** Adds an item; `created` may be given, as many items of real portals have one time. */
  addItem(given: Partial<Omit<Item, 'id' | 'inGroups' | 'modified'>> = {}): Item {
    const created = given.created ?? this.now()
    const fixed = { id: this.nextId(), type: 'Web Map', owner: 'anna', orgId: this.id, inGroups: new Map() }
    const item: Item = { title: 'Map', categories: [], described: {}, ...fixed, ...given, created, modified: created }
    this.items.set(item.id, item)
    return item
  }

  addCollaboration(name: string, workspaces: readonly string[]): Collaboration {
    const added: Collaboration = {
      id: this.nextId(),
      name,
      created: this.now(),
      workspaces: workspaces.map((one) => ({ id: this.nextId(), name: one })),
      invitations: new Map(),
    }
    this.collaborations.set(added.id, added)
    return added
  }
}
