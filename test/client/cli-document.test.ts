import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { bundleClient } from '../../scripts/release/client.ts'
import { paste, readDocument, shownIn, startServer, walkPassword } from '../journeys/shell-walk.ts'
import { ArcgisPortal } from '../support/arcgis/arcgis-portal.ts'
import { isLong } from '../support/length.ts'
import type { Body } from '../support/portal/portal.ts'
import { Secrets } from './secrets.ts'

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

/** Runs a script that may show no secret of its environment, nor leave one in its folder. */
async function shell(script: string, environment: Readonly<Record<string, string>>, cwd = folder) {
  const secrets = new Secrets()
  secrets.add(environment['PASSWORD'], environment['CARTULARY_CLIENT_SECRET'])
  const ended = await paste(script, environment, cwd)
  secrets.requireHidden(script, ended.stdout + ended.stderr, cwd)
  return ended
}

async function call(api: string, path: string, form: Readonly<Record<string, string>>): Promise<Body> {
  const body = new URLSearchParams({ f: 'json', ...form })
  return (await fetch(`${api}${path}`, { method: 'POST', body })).json()
}

describe('the file of the client', () => {
  test('has the answers that its document shows, line by line', async () => {
    await using server = await startServer()
    const { token } = await call(server.api, '/generateToken', { username: 'admin', password: walkPassword })
    for (const title of ['Lakes', 'Rivers']) {
      await call(server.api, '/content/users/admin/addItem', { token, title, type: 'Web Map' })
    }
    await call(server.api, '/portals/self/createCollaboration', { token, name: 'Alps', workspaceName: 'Base maps' })
    const environment = { PORTAL: server.api, PASSWORD: walkPassword, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder }
    const script = `set -e\ncartulary() { '${process.execPath}' '${file}' "$@"; }\n${walk}`
    const { stdout, stderr } = await shell(script, environment)
    const printed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd())
    expect(printed, stderr).toEqual(shownIn(walk).map((line) => line.trimEnd()))
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

  test.each([['--version'], ['--help']])(
    'compiles little of itself for %s, and loads neither HTTP nor TLS',
    async (word) => {
      const kept = mkdtempSync(join(folder, 'coverage-'))
      await promisify(execFile)(process.execPath, [file, word], { env: { ...process.env, NODE_V8_COVERAGE: kept } })
      const [name] = readdirSync(kept)
      const { result }: { result: { url: string; functions: unknown[] }[] } = JSON.parse(
        readFileSync(join(kept, name!), 'utf8'),
      )
      const own = result.find(({ url }) => url.endsWith('cartulary-client.mjs'))!
      // The whole has more than 900.
      expect(own.functions.length).toBeLessThan(100)
      expect(result.filter(({ url }) => /^node:(http|https|tls|crypto)$/.test(url))).toEqual([])
    },
  )

  test('signs in by several processes at a time, and keeps every profile', async () => {
    await using server = await startServer()
    const home = mkdtempSync(join(folder, 'home-'))
    // One that a killed process left.
    mkdirSync(join(home, 'cartulary'), { mode: 0o700 })
    writeFileSync(join(home, 'cartulary', 'lock'), String(spawnSync('true').pid))
    const environment = { PASSWORD: walkPassword, XDG_CONFIG_HOME: home }
    const login = `'${process.execPath}' '${file}' login --url ${server.api} --username admin --password-stdin`
    const names = ['a', 'b', 'c', 'd']
    const signIn = (name: string) => shell(`echo "$PASSWORD" | ${login} --profile ${name}`, environment)
    await signIn('a')
    await Promise.all(names.map(signIn))
    const kept = JSON.parse(readFileSync(join(home, 'cartulary', 'config.json'), 'utf8'))
    expect(Object.keys(kept.profiles).sort()).toEqual(names)
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
      env: { ...process.env, CARTULARY_TOKEN: 'token of no one' },
    })
    const ended = once(child, 'exit')
    const [socket] = await arrived
    expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain('token of no one')
    child.kill(signal)
    expect((await ended)[0]).toBe(code)
    socket.destroy()
    silent.close()
  })

  test('reads a pipe until its end, writes into one, and waits for it no longer than for a signal', async () => {
    const script = `set -e
      cartulary() { '${process.execPath}' '${file}' "$@"; }
      cartulary get template:inspire -o /dev/stdout | cat >inspire.json
      cartulary validate <(cat inspire.json)`
    expect((await shell(script, {})).stdout).toMatch(/^\/dev\/fd\/\d+ keeps the rules /)
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const code of [0, 130]) {
      const child = execFile(process.execPath, [file, 'validate', pipe])
      const ended = once(child, 'exit')
      const writer = await Promise.race([open(pipe, 'w'), ended])
      if (!('writeFile' in writer)) throw new Error(`The pipe is not opened: ${writer}.`)
      if (code > 0) child.kill('SIGINT')
      else await writer.writeFile(readFileSync(join(folder, 'inspire.json')))
      if (code === 0) await writer.close()
      expect(await ended).toEqual([code, null])
      if (code > 0) await writer.close()
    }
  })

  test('ends no change, and no reading with an error, by a closed pipe', async () => {
    await using server = await startServer()
    const home = mkdtempSync(join(folder, 'home-'))
    const script = `cartulary() { '${process.execPath}' '${file}' "$@"; }
      echo "$PASSWORD" | cartulary login --url ${server.api} --username admin --password-stdin >/dev/null
      cartulary template show inspire | true; echo "\${PIPESTATUS[0]}"
      cartulary help --man | true; echo "\${PIPESTATUS[0]}"
      cartulary apply template:inspire --to org --yes 2>&1 | true; echo "\${PIPESTATUS[0]}"
      cartulary plan template:inspire --to org`
    const { stdout } = await shell(script, { PASSWORD: walkPassword, XDG_CONFIG_HOME: home })
    expect(stdout).toBe('0\n0\n0\nNo change.\n')
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'ended by %s while items move, has left none behind when the same command has run again',
    async (signal) => {
      // In the long form, at each request, where the index lags and forgets lost paths.
      const quirks = isLong ? { indexLag: 2, forgetsLostPaths: true } : {}
      const home = mkdtempSync(join(folder, 'home-'))
      writeFileSync(join(home, 'seas.json'), '{"categorySchema":[{"title":"Seas"}]}')
      writeFileSync(join(home, 'moves.json'), '[{"from":"/Water","to":"/Seas"}]')
      let kills = 0
      for (let request = 1, isWhole = false; !isWhole && (isLong || request === 1); request += 1) {
        await using portal = await ArcgisPortal.open('online', quirks)
        portal.schemas.set(portal.id, { categorySchema: [{ title: 'Water' }] })
        const items = Array.from({ length: 130 }, () => portal.addItem({ categories: ['/Water'] }))
        portal.index.settle()
        const address = { CARTULARY_URL: portal.url, CARTULARY_TOKEN: portal.tokenOf('anna') }
        const env = { ...process.env, ...address, XDG_STATE_HOME: join(home, String(request)) }
        const start = (...words: readonly string[]) => execFile(process.execPath, [file, ...words], { cwd: home, env })
        const plan = start('plan', 'seas.json', '--to', 'org', '--moves', 'moves.json', '-o', 'plan.json')
        expect(await once(plan, 'exit')).toEqual([0, null])
        const apply = ['apply', 'plan.json', '--move-items']
        const kill = { kind: 'meanwhile', when: 'before', act: () => child.kill(signal) } as const
        portal.plan(isLong ? '*' : 'updateItems', kill, request)
        const child = start(...apply)
        const [code, by] = await once(child, 'exit')
        isWhole = portal.mend() > 0
        if (isWhole) expect(code).toBe(0)
        else {
          expect(signal === 'SIGKILL' ? by : code).toBe(signal === 'SIGKILL' ? signal : 143)
          kills += 1
          expect(await once(start(...apply), 'exit'), `request ${request}`).toEqual([0, null])
        }
        expect(new Set(items.flatMap(({ categories }) => categories))).toEqual(new Set(['/Seas']))
      }
      expect(kills).toBeGreaterThanOrEqual(isLong ? 15 : 1)
    },
  )

  test('is what the examples of pipelines run, with the credential of an app', async () => {
    await using server = await startServer()
    const { token } = await call(server.api, '/generateToken', { username: 'admin', password: walkPassword })
    const { id: itemId } = await call(server.api, '/content/users/admin/addItem', {
      token,
      title: 'Robot',
      type: 'Application',
    })
    const privileges = JSON.stringify(['portal:admin:updateItemCategorySchema'])
    const app = await call(server.api, '/oauth2/registerApp', { token, itemId, appType: 'server', privileges })
    const work = mkdtempSync(join(folder, 'work-'))
    writeFileSync(join(work, 'schema.json'), '{"categorySchema":[{"title":"Themes"}]}')
    writeFileSync(join(work, 'cartulary.json'), '{"format":1,"places":{"org":"schema.json"}}')
    copyFileSync(file, join(work, 'cartulary-client.mjs'))
    const environment = {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      CLIENT: file,
      GITHUB_SHA: 'abc',
      CI_COMMIT_SHA: 'abc',
      GITHUB_STEP_SUMMARY: join(work, 'summary.md'),
      CARTULARY_URL: server.api,
      CARTULARY_CLIENT_ID: app.client_id,
      CARTULARY_CLIENT_SECRET: app.client_secret,
    }
    const action = parse(readDocument('examples/ci/action.yml'))
    for (const { run: script } of action.runs.steps) await shell(`set -e\n${script}`, environment, work)
    const summary = readFileSync(join(work, 'summary.md'), 'utf8')
    expect(summary).toContain('+ add /Themes')
    expect(summary).toContain('org: version 1.')
    writeFileSync(join(work, 'schema.json'), '{"categorySchema":[{"title":"Topics"}]}')
    const pipeline = parse(readDocument('examples/ci/gitlab-ci.yml'))
    await expect(paste(pipeline.drift.script.join('\n'), environment, work)).rejects.toMatchObject({ code: 3 })
    for (const job of ['plan', 'apply', 'drift']) await shell(pipeline[job].script.join('\n'), environment, work)
  })
})
