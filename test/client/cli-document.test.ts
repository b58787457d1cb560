import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleClient } from '../../scripts/release/client.ts'
import { paste, readDocument, shownIn, startServer, walkPassword } from '../journeys/shell-walk.ts'

const document = readDocument('docs/cli.md')
const walk = [...document.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!).join('')
const root = fileURLToPath(new URL('../../', import.meta.url))

let folder: string
let file: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-'))
  file = join(folder, 'cartulary-client.mjs')
  writeFileSync(file, await bundleClient(root))
  chmodSync(file, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the file of the client', () => {
  test('has the answers that its document shows, line by line', async () => {
    await using server = await startServer()
    const environment = { PORTAL: server.api, PASSWORD: walkPassword, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder }
    const script = `set -e\ncartulary() { '${process.execPath}' '${file}' "$@"; }\n${walk}`
    const { stdout, stderr } = await paste(script, environment, folder)
    const printed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd())
    expect(printed, stderr).toEqual(shownIn(walk).map((line) => line.trimEnd()))
    expect(stdout + stderr).not.toContain(walkPassword)
  })

  const run = (...words: readonly string[]) =>
    promisify(execFile)(process.execPath, [file, ...words], { cwd: folder }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )

  test('prints help without a command, knows no command of a server, and reads everything but RDF', async () => {
    expect(await run()).toMatchObject({ code: 2, stdout: expect.stringContaining('Any portal') })
    expect(await run('serve')).toMatchObject({ code: 2, stderr: expect.stringContaining('Unknown command serve') })
    expect(await run('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Cartulary \d/) })
    await run('get', 'template:inspire', '--format', 'xlsx', '-o', 'a.xlsx')
    expect(await run('validate', 'a.xlsx')).toMatchObject({ code: 0 })
    await run('get', 'template:inspire', '--format', 'skos-ttl', '-o', 'a.ttl')
    expect(await run('validate', 'a.ttl')).toMatchObject({ code: 2, stderr: expect.stringContaining('RDF is written') })
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends at %s with %i, whatever it waits for', async (signal, code) => {
    const silent = createServer()
    const arrived = once(silent, 'connection')
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const child = execFile(process.execPath, [file, 'whoami', '--url', `http://127.0.0.1:${port}`], {
      env: { ...process.env, CARTULARY_TOKEN: 'x' },
    })
    const ended = once(child, 'exit')
    const [socket] = await arrived
    child.kill(signal)
    expect((await ended)[0]).toBe(code)
    socket.destroy()
    silent.close()
  })
})
