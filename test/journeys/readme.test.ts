import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openServer } from '../../src/server.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const script = fileURLToPath(new URL('../../examples/handshake.sh', import.meta.url))
const password = 'correct horse battery staple'

/** The shell block under a heading. */
function shellBlock(heading: string): string {
  const section = readme.split(`## ${heading}\n`)[1] ?? ''
  return /```sh\n(.*?)```/s.exec(section)?.[1] ?? ''
}

test('host and guest go through the handshake as the README shows', async () => {
  const ports = { HOST_PORT: String(await freePort()), GUEST_PORT: String(await freePort()) }
  const { stdout } = await promisify(execFile)('bash', [script], { env: { ...process.env, ...ports } })
  const shown = /```\n(\{.*?)```/s.exec(readme.split('## Host and guest\n')[1]!)![1]!
  expect(stdout).toContain('guest: Host (Host), Guest (Guest)')
  expect(stdout.endsWith(shown)).toBe(true)
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('the walk of the first minute answers what the README says', async () => {
  const walk = shellBlock('The first minute')
  const promised = [...walk.matchAll(/^# → (.*)$/gm)].map(([, line]) => line!)
  expect(promised).toHaveLength(11)
  const server = await openServer(
    readConfig({ PORT: '0', DATABASE_URL: 'file::memory:', ADMIN_PASSWORD: password, LOG_LEVEL: 'silent' }),
  )
  try {
    const address = await server.listen()
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', walk], {
      env: { ...process.env, API: `${address}/sharing/rest`, PASSWORD: password },
    })
    const printed = stdout.split('\n').map((line) => line.trim())
    let after = 0
    for (const line of promised) {
      const at = printed.indexOf(line, after)
      expect(at, `${line} after line ${after} of:\n${stdout}`).toBeGreaterThanOrEqual(after)
      after = at + 1
    }
  } finally {
    await server.close()
  }
})
