/** Directus on a SQLite database of its own, through its own command; the administrator's static token is the caller's. */
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('node_modules/directus/cli.js', import.meta.url))
const token = 'a-token-of-no-importance-whatsoever'

/** Starts it in this process, in the folder. */
export async function startDirectus(folder) {
  const port = await findFreePort()
  const file = join(folder, 'directus.db')
  Object.assign(process.env, {
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: file,
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
  await untilReady(port)
  return { port, token, file, post: (path, body) => post(port, path, body) }
}

async function untilReady(port) {
  while (true) {
    const answer = await fetch(`http://127.0.0.1:${port}/server/ping`).catch(() => undefined)
    if (answer?.ok) return
    await delay(200)
  }
}

async function post(port, path, body) {
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
