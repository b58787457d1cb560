import { randomBytes } from 'node:crypto'
import {
  type Answer,
  type ArcgisCall,
  ArcgisError,
  notFound,
  notPermitted,
  requireAdministrator,
  requirePortal,
  requireUser,
} from './arcgis-call.ts'
import { collaborationAnswers } from './collaborations.ts'
import type { Group, Item, Node, Schema, Token, World } from './world.ts'

/** Longest list of items that one call may change, and categories of an item. */
const [maxItems, maxCategories] = [100, 20]
const tokenMinutes = 60

/** The answer of each documented operation, by its name. */
export const answers: Readonly<Record<string, Answer>> = {
  ...collaborationAnswers,
  root: (world) =>
    world.kind === 'online'
      ? { currentVersion: '2025.3' }
      : { currentVersion: '2025.1', enterpriseVersion: '11.5.0', enterpriseBuild: '56755' },
  info: (_world, { root }) => ({
    owningSystemUrl: root,
    authInfo: { tokenServicesUrl: `${root}/sharing/rest/generateToken`, isTokenBasedSecurity: true },
  }),
  portal: (world, { places, token }) => {
    if (places['portal'] !== 'self' && places['portal'] !== world.id) throw notFound()
    const user = token?.username === undefined ? {} : { user: viewOfUser(world, token.username) }
    const app = token?.clientId === undefined ? {} : { appInfo: { appId: token.clientId } }
    return {
      id: world.id,
      name: world.name,
      portalName: world.kind === 'online' ? 'ArcGIS Online' : 'Portal for ArcGIS',
      isPortal: world.kind === 'enterprise',
      currentVersion: '2025.1',
      hasCategorySchema: world.schemas.has(world.id),
      ...user,
      ...app,
    }
  },
  self: (world, { token }) => viewOfUser(world, requireUser(token)),
  user: (world, { places }) => viewOfUser(world, places['user']!),

  generateToken: (world, { parameters }) => {
    const user = world.users.get(parameters.get('username') ?? '')
    if (!user || user.password !== parameters.get('password')) {
      throw new ArcgisError(400, 'Unable to generate token.', undefined, ['Invalid username or password.'])
    }
    const referer = parameters.get('client') === 'referer' ? (parameters.get('referer') ?? '') : undefined
    return { ...putToken(world, { username: user.username, clientId: undefined, referer }), ssl: true }
  },
  oauthToken: (world, { parameters }) => {
    const clientId = parameters.get('client_id') ?? ''
    const secret = world.apps.get(clientId)
    if (parameters.get('grant_type') !== 'client_credentials' || secret === undefined) {
      throw new ArcgisError(400, 'Invalid client_id', 'OAUTH_0003')
    }
    if (parameters.get('client_secret') !== secret) throw new ArcgisError(400, 'Invalid client_secret', 'OAUTH_0030')
    const { token, expires } = putToken(world, { username: undefined, clientId, referer: undefined })
    return { access_token: token, expires_in: Math.round((expires - Date.now()) / 1_000) }
  },
  revokeToken: (world, { parameters }) => {
    const token = world.tokens.get(parameters.get('auth_token') ?? '')
    if (token) token.isOver = true
    return { success: true }
  },

  groups: (world, { parameters }) => {
    const q = (parameters.get('q') ?? '').replaceAll(/\b(id|title|owner|orgid):/g, '')
    const asked = [...q.matchAll(/"([^"]*)"|([^\s()]+)/g)].map(([, phrase, word]) => (phrase ?? word)!.toLowerCase())
    // Parts of titles are found too, and no case is heeded.
    const found = [...world.groups.values()].filter(({ id, title, orgId }) =>
      asked.some((word) => id === word || orgId.toLowerCase() === word || title.toLowerCase().includes(word)),
    )
    return pageOf('results', found.map(viewOfGroup), parameters)
  },
  group: (world, call) => viewOfGroup(requireGroup(world, call)),
  groupUsers: (world, call) => {
    requireUser(call.token)
    const { owner, admins, users } = requireGroup(world, call)
    return { owner, admins, users }
  },
  portalUsers: (world, call) => {
    requireAdministrator(world, call.token)
    requirePortal(world, call)
    const users = [...world.users.keys()].map((username) => viewOfUser(world, username))
    return pageOf('users', users, call.parameters)
  },
  itemData: (world, { places }) => {
    const { text } = requireItem(world, places['item']!)
    if (text === undefined) throw new ArcgisError(400, 'Item data does not exist.', 'CONT_0004')
    return JSON.parse(text)
  },

  portalSchema: (world, call) => {
    if (call.token?.clientId === undefined) requireUser(call.token)
    return readSchema(world, requirePortal(world, call))
  },
  assignPortalSchema: (world, call) => {
    requireAdministrator(world, call.token)
    return assignSchema(world, requirePortal(world, call), call)
  },
  deletePortalSchema: (world, call) => {
    requireAdministrator(world, call.token)
    return deleteSchema(world, requirePortal(world, call))
  },
  groupSchema: (world, call) => readSchema(world, requireGroup(world, call).id),
  assignGroupSchema: (world, call) => assignSchema(world, requireManaged(world, call).id, call),
  deleteGroupSchema: (world, call) => deleteSchema(world, requireManaged(world, call).id),

  search: (_world, { parameters }, index) => searched(() => index.search(parameters, undefined)),
  groupSearch: (world, call, index) => {
    const { id } = requireGroup(world, call)
    return searched(() => index.search(call.parameters, id))
  },
  item: (world, { places }) => viewOfItem(requireItem(world, places['item']!)),
  userContent: (world, { places, parameters, token }) => {
    requireUser(token)
    const own = [...world.items.values()].filter(({ owner }) => owner === places['user'])
    return pageOf('items', own.map(viewOfItem), parameters)
  },
  // `[{"<id>":{"categories":["/A"]}}]`
  updateItems: (world, call, index) => {
    requireAdministrator(world, call.token)
    return updateEach(call, (id, value) => {
      const paths = (value as { categories?: unknown } | null)?.categories
      const item = requireItem(world, id)
      if (item.orgId !== world.id) throw notPermitted()
      item.categories = acceptCategories(world, paths)
      item.modified = world.now()
      index.update(item)
    })
  },
  // `[{"<id>":["/A"]}]`; the other form is refused here (python-api#571).
  updateCategories: (world, call, index) => {
    const { id: groupId } = requireManaged(world, call)
    return updateEach(call, (id, value) => {
      const item = requireItem(world, id)
      if (!item.inGroups.has(groupId))
        throw new ArcgisError(400, 'Item does not exist or is inaccessible.', 'CONT_0001')
      item.inGroups.set(groupId, acceptCategories(world, value))
      item.modified = world.now()
      index.update(item)
    })
  },
}

function viewOfUser(world: World, username: string): object {
  const user = world.users.get(username)
  if (!user) throw new ArcgisError(400, 'User does not exist or is inaccessible.')
  const { role } = user
  const privileges = role === 'org_admin' ? ['portal:admin:updateItemCategorySchema', 'portal:admin:updateItems'] : []
  return {
    username,
    fullName: username,
    orgId: world.id,
    role,
    privileges,
    groups: [...world.groups.values()].map(viewOfGroup),
  }
}

function viewOfItem({ inGroups: _, described, text: _text, ...item }: Item): object {
  return { ...described, ...item }
}

function viewOfGroup({ described, admins: _, users: _users, ...group }: Group): object {
  return { ...described, ...group }
}

function pageOf(name: string, all: readonly object[], parameters: URLSearchParams): object {
  const [start, num] = [Number(parameters.get('start') ?? 1), Number(parameters.get('num') ?? 10)]
  const nextStart = start + num <= all.length ? start + num : -1
  return { total: all.length, start, num, nextStart, [name]: all.slice(start - 1, start - 1 + num) }
}

function putToken(world: World, token: Omit<Token, 'isOver'>): { readonly token: string; readonly expires: number } {
  const value = randomBytes(24).toString('base64url')
  world.tokens.set(value, { ...token, isOver: false })
  return { token: value, expires: Date.now() + tokenMinutes * 60_000 }
}

function requireGroup(world: World, { places }: ArcgisCall): Group {
  const group = world.groups.get(places['group']!)
  if (!group) throw new ArcgisError(400, 'Group does not exist or is inaccessible.', 'COM_0003')
  return group
}

function requireManaged(world: World, call: ArcgisCall): Group {
  const group = requireGroup(world, call)
  if (call.token?.clientId === undefined && requireUser(call.token) !== group.owner) throw notPermitted()
  return group
}

function requireItem(world: World, id: string): Item {
  const item = world.items.get(id)
  if (!item) throw new ArcgisError(400, 'Item does not exist or is inaccessible.', 'CONT_0001')
  return item
}

function searched(search: () => object): object {
  try {
    return search()
  } catch (error) {
    throw new ArcgisError(400, (error as Error).message)
  }
}

function readSchema(world: World, owner: string): object {
  const { reordersMembers, addsMembers } = world.quirks
  const show = ({ title, description, source, categories }: Node): object => ({
    ...(reordersMembers && categories && { categories: categories.map(show) }),
    ...(description !== undefined && { description }),
    ...(title !== undefined && { title }),
    ...(source !== undefined && { source }),
    ...(addsMembers && { itemCount: 7 }),
    ...(!reordersMembers && categories && { categories: categories.map(show) }),
  })
  return { categorySchema: (world.schemas.get(owner)?.categorySchema ?? []).map(show) }
}

function assignSchema(world: World, owner: string, { parameters }: ArcgisCall): object {
  const rejected = (detail: string) => new ArcgisError(400, 'Unable to assign category schema.', 'ORG_1132', [detail])
  let schema: Schema
  try {
    schema = JSON.parse(parameters.get('categorySchema') ?? '')
  } catch {
    throw rejected('Invalid category schema.')
  }
  const trees = schema?.categorySchema
  if (!Array.isArray(trees)) throw rejected('Invalid category schema.')
  if (trees.length < 1 || trees.length > 5) throw rejected('Category schema exceeds max tree size or empty.')
  const levels = (nodes: readonly Node[]): number =>
    nodes.length === 0 ? 0 : 1 + Math.max(...nodes.map(({ categories = [] }) => levels(categories)))
  const sizeOf = (nodes: readonly Node[]): number =>
    nodes.reduce((sum, { categories = [] }) => sum + 1 + sizeOf(categories), 0)
  if (levels(trees) > 4 || sizeOf(trees) > 200) throw rejected('Invalid category schema.')
  const kept = world.quirks.keepsInstead?.(schema) ?? schema
  world.schemas.set(owner, world.quirks.losesEmptyLists ? withoutEmptyLists(kept) : kept)
  return { success: true }
}

function withoutEmptyLists(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    Array.isArray(value) && value.length === 0 ? undefined : value,
  )
}

function deleteSchema(world: World, owner: string): object {
  if (!world.schemas.delete(owner)) throw notFound()
  return { success: true }
}

function acceptCategories(world: World, paths: unknown): readonly string[] {
  if (!Array.isArray(paths)) throw new ArcgisError(400, 'Invalid categories.')
  if (paths.length > maxCategories) {
    throw new ArcgisError(400, `Item exceeds max size of ${maxCategories} categories.`)
  }
  return paths.filter((path) => !world.quirks.drops?.(path))
}

function updateEach({ parameters }: ArcgisCall, update: (id: string, value: unknown) => void): object {
  let items: unknown
  try {
    items = JSON.parse(parameters.get('items') ?? '')
  } catch {
    items = undefined
  }
  if (!Array.isArray(items) || items.length > maxItems) throw new ArcgisError(400, "'items' parameter is invalid.")
  const results = items.flatMap((entry: Record<string, unknown>) =>
    Object.entries(entry).map(([itemId, value]) => {
      try {
        update(itemId, value)
        return { itemId, success: true }
      } catch (error) {
        const { code, message } = error as ArcgisError
        return { itemId, success: false, error: { code, message } }
      }
    }),
  )
  return { results }
}
