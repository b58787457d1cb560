import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { paste, readDocument } from '../journeys/shell-walk.ts'
import { CartularyProcess, Folder } from '../support/portal/process.ts'
import { buildRelease, type Release, theRelease } from '../support/release/artefact.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Every shell block of a document, in order. */
function shellBlocksOf(path: string): readonly string[] {
  return [...readDocument(path).matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!)
}

const install = shellBlocksOf('docs/install.md')
const upgrade = shellBlocksOf('docs/upgrade.md')
const rotate = shellBlocksOf('docs/secret.md').find((block) => block.startsWith('sudo '))!

/** Commands that need a container engine, a registry or a repository; `npm install` of the artefact has a test of its own. */
const notRun = /^(npm|sudo npm|docker|git|\(umask)/

/** The function by which these documents run commands. */
const commands = install.find((block) => block.startsWith('cartulary() {'))!.split('\n}\n')[0]! + '\n}\n'

/**
 * A machine below a folder: paths from its root lead into the folder, its only user needs no sudo, and services are started by
 * the test, as their unit says.
 */
class Machine implements AsyncDisposable {
  readonly folder = new Folder()
  readonly path = this.folder.path
  readonly #port: number
  server: CartularyProcess | undefined

  constructor(port: number) {
    this.#port = port
    for (const name of ['opt', 'etc/systemd/system', 'var/lib', 'var/cache', 'bin', 'home']) {
      mkdirSync(join(this.path, name), { recursive: true })
    }
    symlinkSync(execPath, join(this.path, 'bin/node'))
  }

  /** Copies the downloaded files into the home folder. */
  receive({ folder }: Release): void {
    for (const file of readdirSync(folder)) copyFileSync(join(folder, file), join(this.path, 'home', file))
  }

  /** Pastes a block; resolves with the output of its commands. */
  async paste(block: string): Promise<string> {
    let printed = ''
    let script = ''
    const run = async () => {
      if (script === '') return
      const words = `set -e\n${this.#translate(commands)}${this.#translate(script)}`
      const { stdout } = await paste(
        words,
        { PATH: `${join(this.path, 'bin')}:/usr/bin:/bin` },
        join(this.path, 'home'),
      )
      printed += stdout
      script = ''
    }
    for (const line of block.split(/(?<=\n)/)) {
      const [, verb] = /^sudo systemctl (start|stop|enable --now|disable --now) cartulary\n/.exec(line) ?? []
      if (verb !== undefined) {
        await run()
        await (verb === 'stop' || verb === 'disable --now' ? this.#stop() : this.#start())
      } else if (!/^(sudo (systemctl daemon-reload|useradd|userdel) ?|journalctl )/.test(line)) script += line
    }
    await run()
    return printed
  }

  #translate(text: string): string {
    const translated = text
      .replaceAll('sudo -u cartulary ', '')
      .replaceAll('sudo ', '')
      .replaceAll('-g cartulary ', '')
      .replaceAll(/(?<=^|[\s=:-])(?=\/(opt|etc|var|usr\/local)(\/|\s|$))/gm, this.path)
    // Nothing of the real machine may be changed.
    expect(translated).not.toMatch(/(?<![\w./-])\/(opt|etc|var|root|home)\b/)
    return translated
  }

  async #start(): Promise<void> {
    const unit = this.#translate(readFileSync(join(this.path, 'etc/systemd/system/cartulary.service'), 'utf8'))
    const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)
    const file = valuesOf('EnvironmentFile')[0]!.replace(/^-/, '')
    const lines = [...valuesOf('Environment'), ...readFileSync(file, 'utf8').trimEnd().split('\n')]
    const settings = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
    const [, program] = /^\/usr\/bin\/env node --max-semi-space-size=16 (\S+)$/.exec(valuesOf('ExecStart')[0]!)!
    const folder = valuesOf('WorkingDirectory')[0]!
    for (const name of ['lib', 'cache']) mkdirSync(join(this.path, `var/${name}/cartulary`), { recursive: true })
    const environment = { ...Object.fromEntries(settings), PORT: String(this.#port) }
    this.server = new CartularyProcess({ program: program!, folder, environment })
    await Promise.race([this.server.wrote(/is ready at/), this.server.ended])
    if (this.server.child.exitCode !== null) throw new Error(`It did not start: ${this.server.out}${this.server.err}`)
  }

  async #stop(): Promise<void> {
    expect((await this.server!.stop()).code).toBe(0)
    this.server = undefined
  }

  /** The answer to a form-encoded POST. */
  async post(path: string, parameters: Readonly<Record<string, string>>) {
    const url = `http://127.0.0.1:${this.#port}/sharing/rest${path}`
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ ...parameters, f: 'json' }) })
    return (await response.json()) as Readonly<Record<string, string>> & {
      readonly results: readonly { title: string }[]
    }
  }

  async groupsOf(token: string): Promise<readonly string[]> {
    const { results } = await this.post('/community/groups', { token, q: 'wells', sortField: 'title' })
    return results.map(({ title }) => title)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server?.[Symbol.asyncDispose]()
    this.folder[Symbol.dispose]()
  }
}

/** A release of a later version, which has one more migration. */
function buildLaterRelease(elsewhere: Folder): Release {
  const checkout = join(elsewhere.path, 'later')
  for (const name of readdirSync(root)) {
    if (/^(node_modules|dist|data|\.git|test|bench)$/.test(name)) continue
    cpSync(join(root, name), join(checkout, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  edit(join(checkout, 'package.json'), /"version": "[^"]+"/, '"version": "0.2.0"')
  edit(
    join(checkout, 'src/storage/tables/migrations/migrations.ts'),
    /\n\}\n$/,
    "\n  '999-later': { up: async () => {} },\n}\n",
  )
  return buildRelease(checkout)
}

function edit(path: string, what: RegExp, by: string): void {
  const text = readFileSync(path, 'utf8')
  expect(text).toMatch(what)
  writeFileSync(path, text.replace(what, by))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('the documents install, upgrade, go back and uninstall, and nothing else is in them that could be run', async () => {
  const [unpack, setUp, password, doctor, remove, purge, ...others] = install.filter((block) => !notRun.test(block))
  const [unpackLater, goOn, goBack, ...rest] = upgrade.filter((block) => !notRun.test(block))
  expect([...others, ...rest]).toEqual([])

  using elsewhere = new Folder()
  await using machine = new Machine(await freePort())
  machine.receive(theRelease())
  expect(await machine.paste(unpack!)).toMatch(/cartulary-0\.1\.0\.tgz: OK[\s\S]*Usage: cartulary/)
  await machine.paste(setUp!)
  const given = { username: 'admin', password: (await machine.paste(password!)).trim() }
  expect(given.password).toMatch(/^\S{24}$/)
  expect(existsSync(join(machine.path, 'var/lib/cartulary/cartulary.db.password'))).toBe(false)
  expect(await machine.paste(doctor!)).toContain('There are no problems')
  const { token } = await machine.post('/generateToken', given)
  expect(await machine.paste(rotate)).toContain('No private key is sealed under the previous secret')
  await machine.post('/community/createGroup', { token: token!, title: 'Wells of before', access: 'org' })
  expect(await machine.post('/info', {})).toMatchObject({ cartulary: { version: '0.1.0' } })

  machine.receive(buildLaterRelease(elsewhere))
  await machine.paste(unpackLater!)
  expect(await machine.paste(goOn!)).toContain('There are no problems')
  expect(await machine.post('/info', {})).toMatchObject({ cartulary: { version: '0.2.0' } })
  await machine.post('/community/createGroup', { token: token!, title: 'Wells of later', access: 'org' })
  expect(await machine.groupsOf(token!)).toEqual(['Wells of before', 'Wells of later'])

  await expect(machine.paste(goBack!.replace(/^.* restore .*\n/m, ''))).rejects.toThrow(/newer version/)
  expect(await machine.paste(goBack!.replace(/^sudo systemctl stop .*\n/, ''))).toContain('There are no problems')
  expect(await machine.post('/info', {})).toMatchObject({ cartulary: { version: '0.1.0' } })
  expect(await machine.groupsOf(token!)).toEqual(['Wells of before'])

  await machine.paste(remove!)
  expect(readdirSync(join(machine.path, 'var/lib/cartulary'))).toContain('cartulary.db.key')
  await machine.paste(purge!)
  const left = readdirSync(machine.path, { recursive: true, encoding: 'utf8' })
  expect(left.filter((path) => /cartulary/.test(path) && !/^(home|opt\/cartulary-0\.2\.0)/.test(path))).toEqual([])
})
