import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort, Postgres } from '../support/databases/postgres.ts'
import { countOf } from '../support/length.ts'
import { adminPassword, formEncode } from '../support/portal/portal.ts'
import { type CartularyProcess, Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { type FrontProxy, haproxy, nginx, readExample, replace } from './proxies.ts'

/** Requests of one test, a third of which write. */
const minRequests = countOf({ sample: 2_000, system: 2_000, long: 10_000 })
const clients = 12

const of = { nginx: { proxy: nginx, file: 'nginx' }, HAProxy: { proxy: haproxy, file: 'haproxy' } } as const
type Name = keyof typeof of
const names = Object.keys(of) as Name[]

let postgres: Postgres
beforeAll(async () => {
  postgres = await Postgres.open()
})
afterAll(() => postgres[Symbol.asyncDispose]())

/** Servers behind a proxy that is set up by an example. */
class Farm implements AsyncDisposable {
  readonly url: string
  readonly #folder = new Folder()
  readonly #settings: Readonly<Record<string, string>>
  readonly #servers: CartularyProcess[] = []
  readonly #ports: number[] = []
  #child: ChildProcess | undefined

  private constructor(url: string, settings: Readonly<Record<string, string>>) {
    this.url = url
    this.#settings = settings
  }

  static async open(
    proxy: FrontProxy,
    servers: number,
    example: (ports: readonly number[]) => string,
    settings: Readonly<Record<string, string>>,
  ): Promise<Farm> {
    const port = await findFreePort()
    const farm = new Farm(`http://127.0.0.1:${port}`, settings)
    for (let at = 0; at < servers; at += 1) {
      farm.#ports.push(await findFreePort())
      farm.#servers.push(await farm.#start(at))
    }
    const adapted = proxy.adapt(example(farm.#ports), port)
    const words = proxy.prepare(farm.#folder.path, adapted)
    const child = spawn(proxy.program!, words, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { HOME: farm.#folder.path },
    })
    farm.#child = child
    let complaint = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    await until(`${proxy.name} is ready`, async () => {
      if (child.exitCode !== null) throw new Error(complaint)
      return fetch(`${farm.url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    })
    return farm
  }

  #start(at: number): Promise<CartularyProcess> {
    const environment = {
      ...{ PORT: String(this.#ports[at]), PUBLIC_URL: this.url, TRUST_PROXY: 'true', ADMIN_PASSWORD: adminPassword },
      ...{ DATABASE_URL: `file:${join(this.#folder.path, 'maps.db')}`, LOG_LEVEL: 'warn' },
      ...this.#settings,
    }
    return serve({ folder: this.#folder.path, environment })
  }

  /** Ends each server and starts it again, one after the other, with pauses in which the proxy learns that one is back. */
  async restartEach(pause: number): Promise<void> {
    for (const at of this.#servers.keys()) {
      await wait(pause)
      const { code, err } = await this.#servers[at]!.stop()
      expect([code, err]).toEqual([0, ''])
      this.#servers[at] = await this.#start(at)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child && this.#child.exitCode === null) {
      this.#child.kill()
      await once(this.#child, 'exit')
    }
    for (const server of this.#servers) await server[Symbol.asyncDispose]()
    this.#folder[Symbol.dispose]()
  }
}

/** Programs that read and write through a proxy, and what they were answered. */
class Load {
  readonly failures: string[] = []
  /** Titles of items that were acknowledged. */
  readonly made: string[] = []
  requests = 0
  /** Answers by which a request was to be sent again, and was. */
  readonly sentAgain: string[] = []
  readonly #url: string
  readonly #token: string
  #isOver = false

  private constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  static async begin(url: string, pause: number): Promise<{ readonly load: Load; end(): Promise<void> }> {
    const credentials = { username: 'admin', password: adminPassword, f: 'json' }
    const signIn = await fetch(`${url}/sharing/rest/generateToken`, { method: 'POST', body: formOf(credentials) })
    const load = new Load(url, ((await signIn.json()) as { token: string }).token)
    const running = Array.from({ length: clients }, (_, client) => load.#run(client, pause))
    return {
      load,
      async end() {
        load.#isOver = true
        await Promise.all(running)
      },
    }
  }

  async #run(client: number, pause: number): Promise<void> {
    for (let turn = 0; !this.#isOver || this.requests < minRequests; turn += 1) {
      const title = `Map ${client} ${turn}`
      if (turn % 3 === 0 && (await this.#send('/content/users/admin/addItem', { title, type: 'Web Map' })))
        this.made.push(title)
      if (turn % 3 === 1) await this.#send('/portals/self')
      if (turn % 3 === 2) await this.#send('/community/self')
      if (pause > 0) await wait(pause)
    }
  }

  /** Sends until there is another answer than to send it again. */
  async #send(path: string, parameters?: Readonly<Record<string, string>>): Promise<boolean> {
    this.requests += 1
    const headers = { authorization: `Bearer ${this.#token}` }
    const init = parameters ? { method: 'POST', body: formOf({ ...parameters, f: 'json' }), headers } : { headers }
    while (true) {
      try {
        const response = await fetch(`${this.#url}/sharing/rest${path}${parameters ? '' : '?f=json'}`, init)
        const text = await response.text()
        const after = response.headers.get('retry-after')
        if (response.status === 503 && after !== null) {
          this.sentAgain.push(`${init.method ?? 'GET'} ${path}: ${text.slice(0, 300)}`)
          await wait(Number(after) * 200)
        } else if (response.status === 200 && !text.includes('"error"')) return true
        else {
          this.failures.push(`${init.method ?? 'GET'} ${path}: ${response.status} ${text.slice(0, 200)}`)
          return false
        }
      } catch (error) {
        this.failures.push(`${init.method ?? 'GET'} ${path}: ${(error as Error).cause ?? error}`)
        return false
      }
    }
  }

  /** Titles of all items that there are. */
  async findItems(): Promise<readonly string[]> {
    const titles: string[] = []
    for (let start = 1; start > 0; ) {
      const query = new URLSearchParams({ num: '100', start: String(start), f: 'json', token: this.#token })
      const page = (await (await fetch(`${this.#url}/sharing/rest/content/users/admin?${query}`)).json()) as {
        readonly items: readonly { readonly title: string }[]
        readonly nextStart: number
      }
      titles.push(...page.items.map(({ title }) => title))
      start = page.nextStart
    }
    return titles
  }
}

const formOf = (parameters: Readonly<Record<string, string>>) => new URLSearchParams(formEncode(parameters))

describe.concurrent.each(names)('behind %s', (name) => {
  const { proxy, file } = of[name]

  test.skipIf(!proxy.program)(
    'three servers on PostgreSQL are restarted one by one, and no request fails',
    async () => {
      const database = {
        DATABASE_URL: await postgres.createDatabase(),
        SECRET_KEY: 'a secret of three servers, long enough',
      }
      const example = ([one, two, three]: readonly number[]) => {
        const text = replace(
          readExample(`../${file}${file === 'nginx' ? '.conf' : '.cfg'}`),
          'one:8080',
          `127.0.0.1:${one}`,
        )
        return replace(text, /^( *server )(\S*)(.*)two:8080(.*)$/m, (_, server, label, middle, rest) =>
          [two, three].map((port, at) => `${server}${label}${label && at}${middle}127.0.0.1:${port}${rest}`).join('\n'),
        )
      }
      await using farm = await Farm.open(proxy, 3, example, { ...database, DRAIN_SECONDS: '' })
      const { load, end } = await Load.begin(farm.url, 40)
      // The example has nginx try a server again after ten seconds.
      await farm.restartEach(11_000)
      await end()
      expect(load.failures).toEqual([])
      expect(load.sentAgain).toEqual([])
      expect((await load.findItems()).toSorted()).toEqual(load.made.toSorted())
    },
  )

  test.skipIf(!proxy.program)('one server on SQLite is restarted, and what came meanwhile is done, once', async () => {
    const example = ([port]: readonly number[]) =>
      readExample(proxy.files[0]).replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
    await using farm = await Farm.open(proxy, 1, example, {})
    const { load, end } = await Load.begin(farm.url, 0)
    for (let times = 0; times < 3; times += 1) await farm.restartEach(500)
    await end()
    expect(load.failures).toEqual([])
    // HAProxy keeps what it cannot send; nginx has it sent again.
    if (name === 'nginx') expect(load.sentAgain).not.toEqual([])
    else expect(load.sentAgain).toEqual([])
    expect((await load.findItems()).toSorted()).toEqual(load.made.toSorted())
  })
})
