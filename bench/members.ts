/** Members of an organization, each with a group. */
import { openPostgres } from './postgres.ts'
import { type Environment, Folder, password, post, type Running, signIn } from './servers.ts'
import type { Member } from './soak-honest.ts'

export type Engine = 'sqlite' | 'postgres'

export async function openDatabase(stack: AsyncDisposableStack, engine: Engine): Promise<Environment> {
  if (engine === 'postgres') return stack.use(await openPostgres()).environment
  return stack.use(new Folder()).environment
}

/** Each with a group of their own, spread over the servers; of the organization of that administrator. */
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
