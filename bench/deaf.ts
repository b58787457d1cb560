/** Cost of clients that send requests and never read an answer, and whether other clients are still served. */
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { residentBytes } from './processes.ts'
import { figureOf, NotMeasured, type Part, type Result, type Run, resultsOf } from './result.ts'
import { type Server, startService } from './servers.ts'
import { assign, read, smallSchema } from './work.ts'

const counts = [10, 100, 1_000]
/** Requests that each connection sends without waiting. */
const requests = 16
/** Heap limit of V8 in megabytes: a small server. */
const heap = 256
/** Groups in one page. */
const pageLength = 100
const sampleInterval = 100

const answers = {
  'schema of 780 KB': ({ groupIds }: Server) => `/community/groups/${groupIds[0]}/categorySchema?f=json`,
  'page of 100 large groups': () => `/community/groups?f=json&num=${pageLength}`,
} as const

interface Seen {
  readonly peakMegabytes: number
  readonly p50: number
  readonly p99: number
}

/** Runs each case on its own server: the maximum memory, and the slowest of a hundred reads of another client. */
export async function* measureDeaf(run: Run): AsyncIterable<Result> {
  for (const [answer, pathOf] of Object.entries(answers)) {
    for (const count of counts) {
      const parts = partsOf(`${count.toLocaleString('en')} deaf, ${answer}`)
      yield* resultsOf(parts, run, () => observe(count, pathOf, run))
    }
  }
}

function partsOf(name: string): readonly Part<Seen>[] {
  return [
    {
      name: `${name}: peak memory`,
      goal: 512,
      direction: 'at most',
      unit: 'MB',
      figure: ({ peakMegabytes }) => figureOf([peakMegabytes]),
    },
    {
      name: `${name}: read beside, p99`,
      goal: 250,
      direction: 'at most',
      unit: 'ms',
      figure: ({ p50, p99 }) => ({
        ...figureOf([p99]),
        remark: `Half of the reads took at most ${p50.toFixed(1)} ms.`,
      }),
    },
  ]
}

async function observe(count: number, pathOf: (server: Server) => string, run: Run): Promise<Seen> {
  await using server = await startService(1, { NODE_OPTIONS: `--max-old-space-size=${heap}` }, run.checkout)
  if (residentBytes(server) === undefined) throw new NotMeasured('Only Linux says how much memory a process holds.')
  await prepare(server)
  const other = await addUser(server)
  const round = { connections: 1, order: 'sequential', milliseconds: 3 * run.milliseconds, atLeast: 100 } as const
  await read(other, { ...round, milliseconds: run.warmMilliseconds })
  let peak = 0
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentBytes(server) ?? 0)
  }, sampleInterval)
  using _clients = openDeaf(server, count, pathOf(server))
  try {
    const { p50, p99 } = await read(other, round)
    await delay(sampleInterval)
    return { peakMegabytes: peak / 1e6, p50, p99 }
  } catch (error) {
    throw new NotMeasured(
      `The server ended or did not answer; it held ${Math.round(peak / 1e6)} MB: ${(error as Error).message}`,
    )
  } finally {
    clearInterval(sampling)
  }
}

/** Creates a page of groups with long texts, and a large schema for the first group. */
async function prepare(server: Server): Promise<void> {
  const { token, groupIds } = server
  const [large] = groupIds
  const categories = Array.from({ length: 194 }, (_, at) => ({
    title: `Category ${at}`,
    description: '水'.repeat(299),
    source: '水'.repeat(1_000),
  }))
  const categorySchema = JSON.stringify({ categorySchema: [{ title: 'All', categories }] })
  await post(server, `/community/groups/${large}/assignCategorySchema`, { token, categorySchema })
  for (let group = 0; group < pageLength; group += 1) {
    await post(server, '/community/createGroup', {
      token,
      title: `Large ${group}`,
      description: '水'.repeat(10_000),
      snippet: '水'.repeat(250),
    })
  }
}

/** Creates another user with a group and a small schema: the server alternates between callers. */
async function addUser(server: Server): Promise<Server> {
  const account = { username: 'other', password: 'correct horse battery staple' }
  const invitations = [{ ...account, role: 'org_user', fullname: 'Other' }]
  const invitationList = JSON.stringify({ invitations })
  await post(server, '/portals/self/invite', { token: server.token, invitationList })
  const { token } = await post(server, '/generateToken', { ...account, expiration: '300' })
  const { group } = await post(server, '/community/createGroup', { token, title: 'Small' })
  const other = { ...server, token, groupIds: [group.id] }
  await assign(other, smallSchema, { connections: 1, order: 'sequential', milliseconds: 0 })
  return other
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations
type Answer = any

/** Encoded as multipart: in a form each of these characters takes nine bytes. */
async function post({ port }: Server, path: string, parameters: Readonly<Record<string, string>>): Promise<Answer> {
  const body = new FormData()
  for (const [name, value] of Object.entries({ ...parameters, f: 'json' })) body.append(name, value)
  const response = await fetch(`http://127.0.0.1:${port}/sharing/rest${path}`, { method: 'POST', body })
  const text = await response.text()
  if (text.includes('"error"')) throw new Error(`${path}: ${text}`)
  return JSON.parse(text)
}

/** Opens connections that send all their requests without waiting and read nothing. */
function openDeaf({ port, token }: Server, count: number, path: string): Disposable {
  const text = `GET /sharing/rest${path}&token=${token} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requests)
  const sockets: Socket[] = Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1' }).pause()
    socket.once('connect', () => socket.write(text))
    // The server may close it.
    return socket.on('error', () => undefined)
  })
  return {
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
