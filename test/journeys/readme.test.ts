import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openServer } from '../../src/server.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const script = fileURLToPath(new URL('../../examples/handshake.sh', import.meta.url))
const password = 'correct horse battery staple'

/** The shell blocks under a heading. */
function shellBlocks(heading: string): readonly string[] {
  const section = readme.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!)
}

const [start, firstCall] = shellBlocks('Start')
const [walk] = shellBlocks('The first minute')
const [secondWalk] = shellBlocks('Content by category')

/** The answers that a block shows. */
const shownIn = (block: string) => [...block.matchAll(/^# → (.*)$/gm)].map(([, line]) => line!)

async function startServer() {
  const server = await openServer(
    readConfig({ PORT: '0', DATABASE_URL: 'file::memory:', ADMIN_PASSWORD: password, LOG_LEVEL: 'silent' }),
  )
  const api = `${await server.listen()}/sharing/rest`
  return { api, [Symbol.asyncDispose]: () => server.close() }
}

/** What a person pastes into bash, as one script. */
function paste(block: string, environment: Readonly<Record<string, string>> = {}) {
  return promisify(execFile)('bash', ['-uo', 'pipefail', '-c', block], { env: { ...process.env, ...environment } })
}

describe('the README', () => {
  test('walks through the first minute with the answers that it shows', async () => {
    const shown = shownIn(walk!)
    expect(shown).toHaveLength(12)
    await using server = await startServer()
    const { stdout } = await paste(`set -e\n${walk}`, { API: server.api, PASSWORD: password })
    const printed = stdout.split('\n').map((line) => line.trim())
    let after = 0
    for (const line of shown) {
      const at = printed.indexOf(line, after)
      expect(at, `${line} after line ${after} of:\n${stdout}`).toBeGreaterThanOrEqual(after)
      after = at + 1
    }
  })

  test('goes on to content by category in the same shell, with no answers but those that it shows', async () => {
    await using server = await startServer()
    const both = `set -e\n${walk}\necho second walk\n${secondWalk}`
    const { stdout } = await paste(both, { API: server.api, PASSWORD: password })
    expect(stdout.split('second walk\n')[1]!.trimEnd().split('\n')).toEqual(shownIn(secondWalk!))
  })

  test('says why that walk does not work where the password is wrong', async () => {
    await using server = await startServer()
    const failed = await paste(walk!, { API: server.api, PASSWORD: 'wrong' }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ stdout: '', stderr: expect.stringContaining('TOKEN: Sign-in failed') })
  })

  test('starts the server with the password of that walk', () => {
    expect(start).toBe(`ADMIN_PASSWORD='${password}' npm start\n`)
    expect(walk).toContain(`PASSWORD=\${PASSWORD:-${password}}\n`)
  })

  test('has a first call that needs no token', async () => {
    await using server = await startServer()
    const { stdout } = await paste(firstCall!.replace('http://localhost:8080/sharing/rest', server.api))
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Cartulary', access: 'private' })
  })

  test('shows what the handshake of host and guest prints at its end', async () => {
    const ports = { HOST_PORT: String(await freePort()), GUEST_PORT: String(await freePort()) }
    const { stdout } = await promisify(execFile)('bash', [script], { env: { ...process.env, ...ports } })
    const shown = /```\n(\{.*?)```/s.exec(readme.split('## Host and guest\n')[1]!)![1]!
    expect(stdout).toContain('guest: Host (Host), Guest (Guest)')
    expect(stdout.endsWith(shown)).toBe(true)
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
