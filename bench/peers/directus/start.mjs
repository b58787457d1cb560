/** Directus with one collection, through its own command; the administrator's static token is the caller's. */
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const folder = process.argv[2]
const command = fileURLToPath(new URL('node_modules/directus/cli.js', import.meta.url))
const port = await findFreePort()
const token = 'a-token-of-no-importance-whatsoever'

Object.assign(process.env, {
  DB_CLIENT: 'sqlite3',
  DB_FILENAME: join(folder, 'directus.db'),
  STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
  EXTENSIONS_PATH: join(folder, 'extensions'),
  SECRET: 'a secret of no importance whatsoever',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct horse battery staple',
  ADMIN_TOKEN: token,
  HOST: '127.0.0.1',
  PORT: String(port),
  LOG_LEVEL: 'error',
  TELEMETRY: 'false',
})
process.chdir(folder)
execFileSync(process.execPath, [command, 'bootstrap'], { stdio: ['ignore', 'ignore', 'inherit'] })
process.argv = [process.execPath, command, 'start']
await import(command)
await untilReady()
await post('/collections', {
  collection: 'groups',
  schema: {},
  meta: {},
  fields: [
    { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
    { field: 'categorySchema', type: 'json', schema: {}, meta: { special: ['cast-json'] } },
  ],
})
const { data } = await post(
  '/items/groups',
  Array.from({ length: 200 }, () => ({ categorySchema: [] })),
)
console.log(`ready ${JSON.stringify({ port, token, groupIds: data.map(({ id }) => id) })}`)

async function untilReady() {
  while (true) {
    const answer = await fetch(`http://127.0.0.1:${port}/server/ping`).catch(() => undefined)
    if (answer?.ok) return
    await delay(200)
  }
}

async function post(path, body) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (answer.errors) throw new Error(`${path}: ${JSON.stringify(answer.errors)}`)
  return answer
}

function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
