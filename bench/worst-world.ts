/** A database filled up to the limits, and the largest documents. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Server } from '../src/server.ts'
import type { MemberRow, UserRow } from '../src/storage/tables/rows/directory.ts'
import { adder } from './growth.ts'
import type { Folder } from './servers.ts'

/** A request of the worst case. */
export interface Worst {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly token?: string
  readonly type?: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export interface World {
  /** Token of the administrator, who owns everything. */
  readonly token: string
  /** Token of a user without privileges. */
  readonly viewerToken: string
  /** Fills the parameters of a path of the table with ids from this database. */
  fill(path: string): string
  readonly documents: Readonly<Record<string, string>>
  /** Paths that documents are sent to. */
  readonly documentPlaces: readonly { readonly path: string; readonly parameter: string }[]
  /** Operations with a large input of another form. */
  readonly writes: readonly Worst[]
}

const password = 'correct horse battery staple'
/** Groups that every caller sees, with text that is slow to compare. */
const publicGroups = 10_000
/** Groups with long text of three bytes per character. */
const largeGroups = 512
const users = 20_000

export async function openWorld({ app, publicUrl }: Server, folder: Folder, maxRows: number): Promise<World> {
  const base = `${new URL(publicUrl()).pathname.replace(/\/$/, '')}/sharing/rest`

  async function send(path: string, type: string, payload: string, token: string | undefined) {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const headers = { 'content-type': type, ...authorization }
    const response = await app.inject({ method: 'POST', url: `${base}${path}`, headers, payload })
    const answer = response.json()
    if (answer.error) throw new Error(`${path}: ${response.body}`)
    return answer
  }

  const post: Post = (path, parameters, token) =>
    send(path, 'application/x-www-form-urlencoded', new URLSearchParams(parameters).toString(), token)

  const signIn = async (username: string): Promise<string> =>
    (await post('/generateToken', { username, password })).token
  const token = await signIn('admin')
  const { id: portalId } = await post('/portals/self', {}, token)

  async function createGroups(
    count: number,
    owner: string,
    properties: Readonly<Record<string, string>>,
  ): Promise<string[]> {
    const ids: string[] = []
    while (ids.length < count) {
      const batch = Array.from({ length: Math.min(10, count - ids.length) }, (_, number) =>
        post('/community/createGroup', { title: `Group ${ids.length + number}`, ...properties }, owner),
      )
      ids.push(...(await Promise.all(batch)).map(({ group }) => group.id))
    }
    return ids
  }

  const invitations = [
    ['author', 'org_user'],
    ['viewer', 'org_viewer'],
  ].map(([username, role]) => ({ username, password, role, fullname: username, email: `${username}@example.com` }))
  await post('/portals/self/invite', { invitationList: JSON.stringify({ invitations }) }, token)
  await createGroups(Math.min(publicGroups, maxRows), await signIn('author'), {
    access: 'public',
    description: 'e'.repeat(2_000),
  })
  const tags = Array.from({ length: 128 }, (_, number) => `${number}${'地'.repeat(125)}`).join(',')
  const [groupId] = await createGroups(largeGroups, token, {
    title: '地'.repeat(250),
    description: '地'.repeat(10_000),
    snippet: '地'.repeat(250),
    tags,
  })
  addUsers(folder, groupId!, Math.min(users, maxRows))
  const { id: roleId } = await post('/portals/self/createRole', { name: 'Role', description: 'r'.repeat(250) }, token)
  const documents = makeDocuments()
  for (const place of [`/community/groups/${groupId}`, '/portals/self']) {
    await send(`${place}/assignCategorySchema`, 'application/json', documents['the largest schema']!, token)
  }
  const ids: Readonly<Record<string, string>> = { groupId: groupId!, portalId, roleId, username: 'admin' }
  const collaboration = await openCollaboration(post, token, groupId!)
  const fill = (path: string) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? collaboration[name] ?? '0'.repeat(32))
  return {
    token,
    viewerToken: await signIn('viewer'),
    fill,
    documents,
    documentPlaces: [
      { path: fill('/community/groups/:groupId/assignCategorySchema'), parameter: 'categorySchema' },
      { path: fill('/portals/:portalId/assignCategorySchema'), parameter: 'categorySchema' },
      { path: fill('/portals/:portalId/acceptCollaborationInvitation'), parameter: 'invitationJSON' },
      { path: fill('/portals/:portalId/invite'), parameter: 'invitationList' },
      { path: fill('/portals/:portalId/roles/:roleId/setPrivileges'), parameter: 'privileges' },
      { path: fill('/portals/:portalId/collaborations/:collaborationId/updateInfo'), parameter: 'config' },
    ],
    writes: [
      {
        name: 'createGroup: the longest texts',
        method: 'POST',
        path: '/community/createGroup',
        token,
        type: 'application/x-www-form-urlencoded',
        body: new URLSearchParams({ title: 'a', description: '地'.repeat(10_000), tags }).toString(),
      },
    ],
  }
}

/** Members of the organization and of one group; none of them signs in. */
function addUsers(folder: Folder, group_id: string, count: number): void {
  const database = new Database(join(folder.path, 'service.db'))
  const like = database.prepare<[], UserRow>("select * from users where username = 'viewer'").get()!
  const addUser = adder<UserRow>(database, 'users')
  const addMember = adder<MemberRow>(database, 'members')
  database.transaction(() => {
    for (let number = 0; number < count; number += 1) {
      const user_id = randomBytes(16).toString('hex')
      const username = `user${number}${'x'.repeat(110)}`
      addUser({ ...like, user_id, username, username_key: username })
      addMember({ group_id, user_id, member_type: 'member', joined_at: 0 })
    }
  })()
  database.close()
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of many operations.
type Post = (path: string, parameters: Readonly<Record<string, string>>, token?: string) => Promise<any>

/** A collaboration with a page of workspaces and of invitations. */
async function openCollaboration(
  post: Post,
  token: string,
  portalGroupId: string,
): Promise<Readonly<Record<string, string>>> {
  const texts = { name: '地'.repeat(100), description: '地'.repeat(250) }
  const created = await post(
    '/portals/self/createCollaboration',
    { ...texts, workspaceName: 'First', portalGroupId, accessMode: 'sendAndReceive' },
    token,
  )
  const collaborationId: string = created.collaboration.id
  const place = `/portals/self/collaborations/${collaborationId}`
  const workspaces = await post(`${place}/workspaces`, {}, token)
  const workspaceId: string = workspaces.workspaces[0].id
  return { collaborationId, workspaceId }
}

function makeDocuments(): Readonly<Record<string, string>> {
  const categories = Array.from({ length: 195 }, (_, number) => ({
    title: `${number}${'t'.repeat(90)}`,
    description: 'd'.repeat(299),
    source: '地'.repeat(1_000),
  }))
  const roots = Array.from({ length: 5 }, (_, tree) => ({
    title: `Tree ${tree}`,
    categories: categories.slice(tree * 39, (tree + 1) * 39),
  }))
  return {
    'the largest schema': JSON.stringify({ categorySchema: roots }),
    '95,000 members': `{${Array.from({ length: 70_000 }, (_, number) => `"${number}":0`).join(',')}}`,
    '90,000 categories': JSON.stringify({
      categorySchema: [{ title: 'a', categories: Array.from({ length: 50_000 }, () => ({ title: 'b' })) }],
    }),
    'nested lists': '['.repeat(340_000) + ']'.repeat(340_000),
    'a long text': JSON.stringify({ categorySchema: [{ title: '\u0001'.repeat(100_000) }] }),
    'an open text': `{"categorySchema":"${'a'.repeat(1_000_000)}`,
  }
}
