/** Organizations, and their members with a group each. */
import { execFileSync } from 'node:child_process'
import { openPostgres } from './postgres.ts'
import type { Run } from './result.ts'
import { type Environment, Folder, openService, password, post, programOf, type Running, signIn } from './servers.ts'
import type { Form, Member } from './soak-honest.ts'

/** Concurrent requests during preparation. */
const atOnce = 4

export type Engine = 'sqlite' | 'postgres'

/** Opens a database; `processes` has that of PostgreSQL, if it is used. */
export async function openDatabase(stack: AsyncDisposableStack, engine: Engine) {
  const postgres = engine === 'postgres' ? stack.use(await openPostgres()) : undefined
  const { environment }: { environment: Environment } = postgres ?? stack.use(new Folder())
  return { environment, processes: postgres ? [postgres] : [] }
}

/** Creates members with a group each, spread over the servers, in the organization of that administrator. */
export async function addMembers(
  servers: readonly Running[],
  count: number,
  administrator = 'admin',
): Promise<readonly Member[]> {
  const [first] = servers
  const token = await signIn(first!, administrator)
  await post(first!, '/portals/self/update', { access: 'public', token })
  const names = Array.from({ length: count }, (_, number) => `${administrator}${number}`)
  const invitations = names.map((username) => ({
    username,
    password,
    fullname: username,
    email: `${username}@example.com`,
    role: 'org_user',
  }))
  await post(first!, '/portals/self/invite', { invitationList: JSON.stringify({ invitations }), token })
  const members: Member[] = []
  for (const [number, username] of names.entries()) {
    const server = servers[number % servers.length]!
    const signedIn = await post(server, '/generateToken', { username, password, expiration: '600' })
    const created = await post(server, '/community/createGroup', { title: `Of ${username}`, token: signedIn.token })
    members.push({ username, port: server.port, token: signedIn.token, groupId: created.group.id })
  }
  return members
}

/** Starts a server with the members of one organization and a member of another, who has a thousand items. */
export async function openTwoOrganizations(
  stack: AsyncDisposableStack,
  run: Run,
  engine: Engine,
  members: number,
  settings: Environment = {},
) {
  const { environment: ofDatabase, processes } = await openDatabase(stack, engine)
  const environment = { ...ofDatabase, ...settings }
  const server = stack.use(await openService(environment, 'all', run.checkout))
  const attackers = await addMembers([server], members)
  const create = ['organization', 'create', '--name', 'Others', '--admin', 'other', '--password-stdin']
  const env = { PATH: process.env['PATH'], ...environment }
  execFileSync(process.execPath, [programOf(run.checkout), ...create], {
    env,
    input: `${password}\n`,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const [bystander] = await addMembers([server], 1, 'other')
  await addItems(bystander!, 1_000, (at) => ({ title: `Lake ${at}`, tags: `water,tag${at % 50}` }))
  return { server, processes: [server, ...processes], attackers, bystander: bystander! }
}

export function addItems(member: Member, count: number, describe: (at: number) => Form): Promise<void> {
  const path = `/content/users/${member.username}/addItem`
  return severalAtOnce(count, (at) => post(member, path, { type: 'Web Map', ...describe(at), token: member.token }))
}

export async function severalAtOnce(count: number, act: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const actOn = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, actOn))
}
