/**
 * Cost of one request: processor time of the servers and of PostgreSQL for an assign and for a read, with one, two
 * and three servers on one PostgreSQL. Linux only, as it reads /proc.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort, Postgres } from '../test/support/databases/postgres.ts'

const connections = 32
const groups = 200
const seconds = 5
const ticksPerSecond = 100
const password = randomBytes(12).toString('hex')
const secret = randomBytes(32).toString('hex')
const program = fileURLToPath(new URL('../bin/cartulary.mjs', import.meta.url))
let turn = 0
const agent = new Agent({ keepAlive: true, maxSockets: connections })

/** 200 categories with descriptions: about 16 KB. */
const largeSchema = JSON.stringify({
  categorySchema: Array.from({ length: 5 }, (_, tree) => ({
    title: `Tree ${tree}`,
    categories: Array.from({ length: 39 }, (_, leaf) => ({
      title: `Category ${tree} ${leaf}`,
      description: 'What belongs here, in a sentence as people write them.',
    })),
  })),
})

await using postgres = await Postgres.open()
const database = await postgres.createDatabase()
const servers: { readonly url: string; readonly process: ChildProcess }[] = []
await addServer()
const { token } = JSON.parse(await send('POST', '/generateToken', { username: 'admin', password }))
const groupIds: string[] = []
for (let number = 0; number < groups; number += 1) {
  const { group } = JSON.parse(await send('POST', '/community/createGroup', { title: `Group ${number}`, token }))
  groupIds.push(group.id)
}
console.log('servers  work    per second  server ms each  PostgreSQL ms each')
for (let count = 1; count <= 3; count += 1) {
  if (servers.length < count) await addServer()
  await measure('assign', (path) =>
    send('POST', `${path}/assignCategorySchema`, { categorySchema: largeSchema, token }),
  )
  await measure('read', (path) => send('GET', `${path}/categorySchema?token=${token}`))
}
for (const server of servers) server.process.kill('SIGTERM')
await Promise.all(servers.map(({ process }) => once(process, 'exit')))
agent.destroy()

async function addServer(): Promise<void> {
  const port = await findFreePort()
  const started = spawn(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      DATABASE_URL: database,
      SECRET_KEY: secret,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'error',
    },
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/health/ready`).catch(() => undefined))?.ok) await delay(10)
  servers.push({ url: `${url}/sharing/rest`, process: started })
}

async function measure(name: string, work: (path: string) => Promise<string>): Promise<void> {
  await run(1, work)
  const before = readTimes()
  const done = await run(seconds, work)
  const after = readTimes()
  const each = (from: number, to: number) => (((to - from) * 1000) / ticksPerSecond / done).toFixed(2)
  const cells = [
    String(servers.length).padEnd(7),
    name.padEnd(6),
    String(Math.round(done / seconds)).padStart(10),
    each(before.servers, after.servers).padStart(14),
    each(before.postgres, after.postgres).padStart(18),
  ]
  console.log(cells.join('  '))
}

/** Number of successful answers within this many seconds. */
async function run(duration: number, work: (path: string) => Promise<string>): Promise<number> {
  const end = performance.now() + duration * 1000
  let done = 0
  async function client(number: number): Promise<void> {
    for (let count = number; performance.now() < end; count += connections) {
      const answer = await work(`/community/groups/${groupIds[count % groups]}`)
      if (answer.startsWith('{"error"')) throw new Error(answer)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, number) => client(number)))
  return done
}

function send(method: string, path: string, parameters?: Record<string, string>): Promise<string> {
  turn = (turn + 1) % servers.length
  const body = parameters && new URLSearchParams(parameters).toString()
  const headers = body ? { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length } : {}
  return new Promise((resolve, reject) => {
    const sent = request(`${servers[turn]!.url}${path}`, { method, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.once('end', () => resolve(text))
    })
    sent.once('error', reject).end(body)
  })
}

/** Processor time so far, in ticks. */
function readTimes(): { readonly servers: number; readonly postgres: number } {
  const ours = new Set(servers.map(({ process }) => process.pid))
  let ofServers = 0
  let ofPostgres = 0
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const fields = readStat(name)
    const [parent, user, system, childrenUser, childrenSystem] = [1, 11, 12, 13, 14].map((place) =>
      Number(fields[place]),
    )
    if (ours.has(Number(name))) ofServers += user! + system!
    if (parent === postgres.pid) ofPostgres += user! + system!
    if (Number(name) === postgres.pid) ofPostgres += user! + system! + childrenUser! + childrenSystem!
  }
  return { servers: ofServers, postgres: ofPostgres }
}

/** Fields after the name, which may have spaces in it: state, parent, … */
function readStat(pid: string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
