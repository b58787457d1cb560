/** Five users who try to stop the server, each in a way of their own, until the process is ended. */
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Member } from './soak-honest.ts'

const { members, ports, seed, only } = JSON.parse(process.argv[2]!) as {
  members: readonly Member[]
  ports: readonly number[]
  readonly seed: number
  readonly only: string
}
setPriority(19)
const outcomes = new Map<string, number>()
let isOver = false
// Connections that do not read keep no process alive.
setInterval(() => undefined, 60_000)
process.once('SIGTERM', () => {
  isOver = true
  process.stdout.write(JSON.stringify([...outcomes]), () => process.exit(0))
})

const form = 'application/x-www-form-urlencoded'
const long = encodeURIComponent('地'.repeat(10_000))
let numbers = seed

function count(what: string): void {
  outcomes.set(what, (outcomes.get(what) ?? 0) + 1)
}

function formatRequest(method: string, path: string, token?: string, body = '', type = form): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  const content = body === '' ? '' : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `${method} /sharing/rest${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}${content}\r\n${body}`
}

/** Sends the next text whenever an answer begins, on a connection that is opened again when it is closed. */
async function repeat(what: string, port: number, next: () => string): Promise<void> {
  while (!isOver) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(next()))
      socket.setNoDelay(true)
      socket.on('data', (part) => {
        const status = /^HTTP\/1\.1 (\d+)/.exec(part.toString('latin1', 0, 20))?.[1]
        if (status === undefined) return
        count(`${what}: HTTP ${status}`)
        socket.write(next())
      })
      socket.on('error', () => count(`${what}: connection failed`))
      socket.on('close', () => resolve())
    })
    await delay(20)
  }
}

/** Connections that ask and do not read. */
async function beDeaf(what: string, port: number, text: string): Promise<void> {
  while (!isOver) {
    await new Promise<void>((resolve) => {
      const socket: Socket = connect(port, '127.0.0.1', () => {
        socket.pause()
        socket.write(text.repeat(16))
      })
      socket.on('error', () => count(`${what}: connection failed`))
      socket.on('close', () => {
        count(`${what}: closed by the server`)
        resolve()
      })
    })
    await delay(100)
  }
}

/** Connections that are reset while they are answered. */
async function abort(what: string, port: number, next: () => string): Promise<void> {
  while (!isOver) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(next())
      setImmediate(() => socket.resetAndDestroy())
    })
    socket.on('error', () => undefined)
    count(what)
    await delay(10)
  }
}

function times(connections: number, what: string, begin: (what: string) => Promise<void>): void {
  if (!what.includes(only)) return
  for (let number = 0; number < connections; number += 1) void begin(what)
}

const [first, second, third, fourth, fifth] = members as [Member, Member, Member, Member, Member]
const group = ({ groupId }: Member) => `/community/groups/${groupId}`

// Many large groups, and the views that have them.
times(8, 'large groups', (what) =>
  repeat(what, first.port, () =>
    formatRequest('POST', '/community/createGroup', first.token, `title=a&access=public&description=${long}`),
  ),
)
times(4, 'own view', (what) =>
  repeat(what, first.port, () => formatRequest('GET', '/community/self?f=html', first.token)),
)

// Slow searches.
const term = `${'e'.repeat(97)}x`
times(2, 'groups to search', (what) =>
  repeat(what, second.port, () =>
    formatRequest(
      'POST',
      '/community/createGroup',
      second.token,
      `title=a&access=public&description=${'e'.repeat(2_000)}`,
    ),
  ),
)
times(8, 'searches', (what) =>
  repeat(what, second.port, () =>
    formatRequest('GET', `/community/groups?q=${Array(9).fill(term).join('%20')}&num=100`, second.token),
  ),
)

// Answers that are not read.
const schema = (number: number) =>
  JSON.stringify({
    categorySchema: Array.from({ length: 5 }, (_, tree) => ({
      title: `Tree ${tree} ${number}`,
      categories: Array.from({ length: 39 }, (_, leaf) => ({
        title: `${leaf}`,
        description: 'd'.repeat(299),
        source: '地'.repeat(900),
      })),
    })),
  })
times(20, 'deaf', (what) =>
  beDeaf(what, third.port, formatRequest('GET', `${group(fourth)}/categorySchema`, fourth.token)),
)
times(20, 'deaf', (what) => beDeaf(what, third.port, formatRequest('GET', '/community/groups?num=100', third.token)))

// Large schemas, and refusals.
const schemas = [schema(0), schema(1)].map((text) =>
  formatRequest('POST', `${group(fourth)}/assignCategorySchema`, fourth.token, text, 'application/json'),
)
times(8, 'large schemas', (what) => repeat(what, fourth.port, () => schemas[numbers++ % 2]!))
const refused = formatRequest('POST', '/portals/self/assignCategorySchema', fourth.token, 'categorySchema=%5B%5D')
times(30, 'refusals', (what) => repeat(what, fourth.port, () => refused.repeat(10)))

// Guesses of passwords, floods of parameters, and aborted requests.
const guess = () =>
  formatRequest('POST', '/generateToken', undefined, `username=invented${numbers++}&password=wrong-password&f=json`)
for (const port of ports) times(Math.ceil(20 / ports.length), 'guesses', (what) => repeat(what, port, guess))
const flood = formatRequest('POST', '/portals/self/assignCategorySchema', fifth.token, '&'.repeat(1_000_000))
times(2, 'floods', (what) => repeat(what, fifth.port, () => flood))
const members95 = `{${Array.from({ length: 70_000 }, (_, number) => `"${number}":0`).join(',')}}`
const invalid = formatRequest(
  'POST',
  `${group(fifth)}/assignCategorySchema`,
  fifth.token,
  members95,
  'application/json',
)
times(4, 'invalid schemas', (what) => repeat(what, fifth.port, () => invalid))
times(4, 'aborted', (what) => abort(what, fifth.port, () => guess()))
