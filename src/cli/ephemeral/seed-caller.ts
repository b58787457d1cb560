import { usernameKey } from '../../directory/user.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import { write } from '../../operations/execute.ts'
import type { Server } from '../../server.ts'

/** One hour: the seed is long in place by then. */
const tokenMilliseconds = 3_600_000

/** Answer of an operation, or the sentences with which it was refused. */
export type Outcome = { readonly answer: Readonly<Record<string, unknown>> } | { readonly refusals: readonly string[] }

/** Calls an operation of the API in this process, as a user. */
export type SeedCaller = (path: string, parameters: Readonly<Record<string, string | undefined>>) => Promise<Outcome>

/** A caller with a token of its own, and no password asked: who seeds a server in memory is its operator. */
export async function callAs(server: Server, username: string): Promise<SeedCaller> {
  const token = await issueToken(server.dependencies, username)
  const root = `${new URL(server.publicUrl()).pathname.replace(/\/+$/, '')}/sharing/rest`
  return async (path, parameters) => {
    const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const response = await server.app.inject({
      method: 'POST',
      url: `${root}${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams([...given, ['f', 'json']]).toString(),
    })
    return outcomeOf(response.json() as Readonly<Record<string, unknown>>)
  }
}

interface ErrorAnswer {
  readonly message: string
  readonly details?: readonly string[]
  readonly reasons?: readonly string[]
}

function outcomeOf(answer: Readonly<Record<string, unknown>>): Outcome {
  if (!('error' in answer)) return { answer }
  const { message, details = [], reasons = [] } = answer['error'] as ErrorAnswer
  const sentences = reasons.length > 0 ? reasons : details
  return { refusals: sentences.length > 0 ? sentences : [message] }
}

async function issueToken({ storage, random, digest, now }: Dependencies, username: string): Promise<string> {
  const token = random.token()
  const address = 'localhost'
  const verifiedHash = await storage.read(async ({ directory }) => {
    const user = await directory.findUser(username)
    return user && (await directory.findPasswordHash(user.userId))
  })
  await write(storage, {
    operation: 'generateToken',
    input: {
      username,
      accountKey: digest(usernameKey(username)),
      address,
      crossSiteOrigin: undefined,
      limit: { failures: 1, minutes: 1 },
      verifiedHash,
      tokenHash: random.hashToken(token),
      agent: 'cartulary',
      expiresAt: now() + tokenMilliseconds,
    },
    tokenHash: undefined,
    now: now(),
    problems: [],
    origin: { address, target: '/generateToken', requestId: random.id() },
  })
  return token
}
