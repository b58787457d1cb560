import { usernameKey } from '../../directory/user.ts'
import type { Server } from '../../server.ts'
import { callAs, type Outcome, type SeedCaller } from './seed-caller.ts'
import type { Seed, SeedGroup, SeedItem, SeedUser } from './seed-shape.ts'

/** Seeded objects, with their ids, in the order of the seed. */
export interface Planted {
  readonly roles: readonly { readonly name: string; readonly id: string }[]
  readonly groups: readonly { readonly title: string; readonly id: string }[]
  readonly items: readonly { readonly title: string; readonly id: string }[]
}

/** State of the planting so far. */
interface Ground {
  readonly server: Server
  readonly administrator: string
  /** Users who were made, by key of the username. */
  readonly callers: Map<string, Promise<SeedCaller>>
  /** Ids by name. */
  readonly roles: Map<string, string>
  /** Ids by title. */
  readonly groups: Map<string, string>
  readonly items: { readonly title: string; readonly id: string }[]
  /** A JSON pointer into the seed and a sentence each. */
  readonly problems: string[]
}

/**
 * Makes everything that a seed says by the operations of the API: groups and items as their owners, the rest as the
 * administrator. What belongs to
 * something that was refused is not tried.
 */
export async function plantSeed(server: Server, seed: Seed, administrator: string) {
  const ground: Ground = {
    server,
    administrator,
    callers: new Map([[usernameKey(administrator), callAs(server, administrator)]]),
    roles: new Map(),
    groups: new Map(),
    items: [],
    problems: [],
  }
  const asAdministrator = await findCaller(ground, administrator)
  await plantOrganization(ground, asAdministrator!, seed)
  for (const [index, user] of (seed.users ?? []).entries()) {
    await plantUser(ground, asAdministrator!, `/users/${index}`, user)
  }
  for (const [index, group] of (seed.groups ?? []).entries()) await plantGroup(ground, `/groups/${index}`, group)
  for (const [index, item] of (seed.items ?? []).entries()) await plantItem(ground, `/items/${index}`, item)
  const { roles, groups, items, problems } = ground
  const planted: Planted = {
    roles: [...roles].map(([name, id]) => ({ name, id })),
    groups: [...groups].map(([title, id]) => ({ title, id })),
    items,
  }
  return { planted, problems: problems as readonly string[] }
}

async function plantOrganization(ground: Ground, call: SeedCaller, { organization, roles = [] }: Seed) {
  const { description, access, categorySchema } = organization ?? {}
  if (description !== undefined || access !== undefined) {
    await findAnswer(ground, '/organization', call('/portals/self/update', { description, access }))
  }
  await assign(ground, call, '/portals/self', '/organization', categorySchema)
  for (const [index, { name, description, privileges }] of roles.entries()) {
    const pointer = `/roles/${index}`
    const answer = await findAnswer(ground, pointer, call('/portals/self/createRole', { name, description }))
    if (!answer) continue
    const id = String(answer['id'])
    ground.roles.set(name, id)
    const given = { privileges: JSON.stringify({ privileges }) }
    await findAnswer(ground, pointer, call(`/portals/self/roles/${id}/setPrivileges`, given))
  }
}

async function plantUser(ground: Ground, call: SeedCaller, pointer: string, user: SeedUser) {
  const { fullName: fullname, role = 'org_user', ...rest } = user
  const given = { ...rest, fullname, role: ground.roles.get(role) ?? role }
  const answer = await findAnswer(ground, pointer, call('/portaladmin/security/users/createUser', given))
  if (answer) ground.callers.set(usernameKey(user.username), callAs(ground.server, user.username))
}

async function plantGroup(ground: Ground, pointer: string, group: SeedGroup) {
  const { owner = ground.administrator, title, access, description, snippet, tags, managers, members } = group
  const call = await findCaller(ground, owner)
  if (!call) return
  const answer = await findAnswer(
    ground,
    pointer,
    call('/community/createGroup', {
      ...{ title, access, description, snippet, tags: tags?.join() },
      isInvitationOnly: group.isInvitationOnly?.toString(),
      isViewOnly: group.isViewOnly?.toString(),
    }),
  )
  if (!answer) return
  const { id } = answer['group'] as { readonly id: string }
  ground.groups.set(title, id)
  const path = `/community/groups/${id}`
  if (managers?.length || members?.length) {
    const given = { admins: managers?.join(), users: members?.join() }
    // Owners add only users whom they see.
    const asAdministrator = (await findCaller(ground, ground.administrator))!
    const added = await findAnswer(ground, pointer, asAdministrator(`${path}/addUsers`, given))
    const notAdded = (added?.['notAdded'] ?? []) as readonly string[]
    ground.problems.push(...notAdded.map((username) => `${pointer}: ${username} was not added to the group.`))
  }
  await assign(ground, call, path, pointer, group.categorySchema)
}

async function plantItem(ground: Ground, pointer: string, item: SeedItem) {
  const { owner = ground.administrator, title, type, description, snippet, tags, url, data, categories } = item
  const call = await findCaller(ground, owner)
  if (!call) return
  const answer = await findAnswer(
    ground,
    pointer,
    call(`/content/users/${encodeURIComponent(owner)}/addItem`, {
      ...{ title, type, description, snippet, tags: tags?.join(), url },
      text: data === undefined || typeof data === 'string' ? data : JSON.stringify(data),
      categories: categories && JSON.stringify(categories),
    }),
  )
  if (!answer) return
  const id = String(answer['id'])
  ground.items.push({ title, id })
  const unknown = (answer['unrecognizedCategories'] ?? []) as readonly string[]
  ground.problems.push(...unknown.map((path) => `${pointer}/categories: Category does not exist: ${path}`))
  await share(ground, call, pointer, id, item)
  for (const [at, { title, categories }] of (item.groups ?? []).entries()) {
    const groupId = ground.groups.get(title)
    if (categories && groupId) await categorize(ground, call, `${pointer}/groups/${at}`, groupId, id, categories)
  }
}

async function share(ground: Ground, call: SeedCaller, pointer: string, id: string, item: SeedItem) {
  const { access = 'private', groups = [] } = item
  const ids = groups.map(({ title }) => ground.groups.get(title))
  const known = ids.filter((groupId) => groupId !== undefined)
  if (access === 'private' && known.length === 0) return
  const level = { everyone: String(access === 'public'), org: String(access !== 'private') }
  const given = { ...level, ...(known.length > 0 && { groups: known.join() }) }
  const answer = await findAnswer(ground, pointer, call(`/content/items/${id}/share`, given))
  const reasons = Object.entries((answer?.['reasons'] ?? {}) as Readonly<Record<string, string>>)
  ground.problems.push(...reasons.map(([groupId, why]) => `${pointer}/groups/${ids.indexOf(groupId)}: ${why}`))
}

async function categorize(
  ground: Ground,
  call: SeedCaller,
  pointer: string,
  groupId: string,
  id: string,
  categories: readonly string[],
) {
  const given = { items: JSON.stringify([{ [id]: categories }]) }
  const answer = await findAnswer(ground, pointer, call(`/content/groups/${groupId}/updateCategories`, given))
  const results = (answer?.['results'] ?? []) as readonly { readonly error?: { readonly message: string } }[]
  ground.problems.push(...results.flatMap(({ error }) => (error ? [`${pointer}/categories: ${error.message}`] : [])))
}

async function assign(ground: Ground, call: SeedCaller, path: string, pointer: string, categorySchema: unknown) {
  if (categorySchema === undefined) return
  const given = { categorySchema: JSON.stringify({ categorySchema }) }
  await findAnswer(ground, pointer, call(`${path}/assignCategorySchema`, given))
}

/** Undefined where the user was not made. */
async function findCaller({ callers }: Ground, username: string): Promise<SeedCaller | undefined> {
  return callers.get(usernameKey(username))
}

/** Undefined where the call was refused: the sentences are among the problems then. */
async function findAnswer({ problems }: Ground, pointer: string, call: Promise<Outcome>) {
  const outcome = await call
  if ('answer' in outcome) return outcome.answer
  problems.push(...outcome.refusals.map((sentence) => locate(pointer, sentence)))
  return undefined
}

/** Parameters whose members in the seed are called otherwise. */
const namesInSeed: Readonly<Record<string, string>> = { fullname: 'fullName', text: 'data' }
/** How sentences about members of a user begin, after its username. */
const beginnings: Readonly<Record<string, string>> = {
  'A username': 'username',
  'The username': 'username',
  'The password': 'password',
  'The role': 'role',
}

/** Place in the seed of the cause of a sentence: in a category schema, or the parameter that it begins with. */
function locate(pointer: string, sentence: string): string {
  const place = /(?:^| at )(\/categorySchema\/\S*)/.exec(sentence)?.[1]
  if (place !== undefined) return `${pointer}${place}: ${sentence}`
  const [, name, rest = sentence] = /^([^:]+): (.*)$/.exec(sentence) ?? []
  const begun = Object.keys(beginnings).find((words) => rest.startsWith(words))
  const member = pointer.startsWith('/users/') && begun ? beginnings[begun] : name && (namesInSeed[name] ?? name)
  return member === undefined ? `${pointer}: ${sentence}` : `${pointer}/${member}: ${rest}`
}
