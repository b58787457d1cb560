import { hash, verify } from 'argon2'
import type { LightMyRequestResponse } from 'fastify'
import { type Config, readConfig } from '../../../src/config.ts'
import { openServer, type Server, type ServerOverrides } from '../../../src/server.ts'
import type { PasswordHash } from '../../../src/tokens/password.ts'
import { checkAnswer } from './answer-check.ts'
import { openFileServer, reuseFileServer } from './file-server.ts'
import { Replicas } from './replicas.ts'
import { reuseServers, type World } from './reused-servers.ts'

/** Words of a request: text as it is, anything else as JSON text. */
export type Parameters = Readonly<Record<string, unknown>>

export type Headers = Readonly<Record<string, string>>

/** An answer's body; tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test is about
export type Body = any

export const adminPassword = 'correct horse battery staple'

/** Time at which tests begin: 2026-01-15, 12:00 UTC. */
export const startOfTests = 1_768_478_400_000

/** Settings of a server in tests. */
export const usualSettings = {
  DATABASE_URL: 'file::memory:',
  ADMIN_PASSWORD: adminPassword,
  ORGANIZATION_NAME: 'Ministry of Maps',
  PUBLIC_URL: 'https://maps.example.com/portal',
  TRUST_PROXY: 'false',
  LOG_LEVEL: 'silent',
}

const minCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Cheap, and without a limit on concurrent hashes: how long a hash takes is not what these tests are about. */
export const cheapPasswords: PasswordHash = {
  hash: (password) => hash(password, minCost),
  verify: async (password, passwordHash) => passwordHash !== undefined && verify(passwordHash, password),
}

export interface StartOptions extends Pick<ServerOverrides, 'findApplication' | 'logLines'> {
  /** With a database in it, the server is on that one and ends with the test. */
  readonly environment?: Readonly<Record<string, string>>
  readonly config?: Partial<Config>
  /** Password hashing in place of the cheap one. */
  readonly passwords?: PasswordHash
  /** False for a test that closes the server, breaks its database or looks at what it has counted. */
  readonly isReused?: boolean
}

/** Whether tests run on three servers that share a PostgreSQL database, instead of one on a SQLite file. */
export const isReplicated = process.env['TEST_ENGINE'] === 'postgres'

/**
 * A whole server on an empty database, with a clock that tests set: on a SQLite file with the thread that writes to it.
 * Closes itself: `await using portal = …`.
 */
export async function startPortal({
  environment,
  config,
  passwords,
  isReused,
  findApplication,
  logLines,
}: StartOptions = {}): Promise<TestPortal> {
  const clock = { now: startOfTests }
  const settings = {
    ...readConfig({ ...usualSettings, ...environment }),
    ...config,
  }
  const world = { now: () => clock.now }
  if (environment?.['DATABASE_URL'] !== undefined) {
    return new TestPortal(
      await openServer(settings, { ...world, passwords: passwords ?? cheapPasswords, logLines }),
      clock,
    )
  }
  if (findApplication || logLines) {
    const application = findApplication ? { findApplication } : {}
    const overrides = { ...world, passwords: passwords ?? cheapPasswords, ...application, logLines }
    return new TestPortal(await openFileServer(settings, overrides), clock)
  }
  return new TestPortal(await openTestServer(settings, world, { isReused: isReused ?? !passwords, passwords }), clock)
}

/** A server as tests have it by default. */
export async function openTestServer(
  settings: Config,
  world: Partial<World>,
  {
    passwords = cheapPasswords,
    isReused = true,
  }: Pick<StartOptions, 'isReused'> & { passwords?: PasswordHash | undefined } = {},
): Promise<Server> {
  if (isReused) {
    const open = () => (isReplicated ? Replicas.open(settings, passwords) : reuseFileServer(settings, passwords))
    return reuseServers(settings, world, open)
  }
  if (!isReplicated) return openFileServer(settings, { ...world, passwords })
  const replicas = await Replicas.open(settings, passwords)
  return replicas.begin(world, () => replicas.close())
}

export class TestPortal implements AsyncDisposable {
  readonly server: Server
  readonly clock: { now: number }
  /** Path below which the API is. */
  readonly base: string
  /** A caller without a token. */
  readonly anonymous: Client

  constructor(server: Server, clock: { now: number }) {
    this.server = server
    this.clock = clock
    this.base = `${new URL(server.publicUrl()).pathname.replace(/\/$/, '')}/sharing/rest`
    this.anonymous = new Client(this, undefined, undefined)
  }

  /** The organization's first administrator, signed in. */
  admin(): Promise<Client> {
    return this.signIn('admin', adminPassword)
  }

  /** A new user of the first organization, signed in. */
  async user(username: string, role = 'org_user'): Promise<Client> {
    return (await this.admin()).invite(username, role)
  }

  async signIn(username: string, password: string): Promise<Client> {
    const answer = await this.anonymous.post('/generateToken', { username, password })
    if (!answer.token) throw new Error(`${username} does not sign in: ${JSON.stringify(answer)}`)
    return new Client(this, answer.token, username)
  }

  /** A second organization with an administrator of its own, signed in. */
  async otherOrganization(name = 'Institute of Seas', username = 'outsider'): Promise<Client> {
    const { addOrganization } = await import('../../../src/first-organization.ts')
    await addOrganization(this.server.dependencies, { name, username, password: adminPassword })
    return this.signIn(username, adminPassword)
  }

  /** A request as it is; `url` begins below the base. */
  async inject(request: {
    readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS'
    readonly url: string
    readonly headers?: Headers
    readonly payload?: string | Buffer
  }): Promise<LightMyRequestResponse> {
    const { method = 'GET', url, headers = {}, payload } = request
    const response = await this.server.app.inject({
      method,
      url: `${this.base}${url}`,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    checkAnswer(method, url, response)
    return response
  }

  /** The whole answer to a form; `url` begins below the base. */
  postForm(url: string, form: Parameters | string = {}, headers: Headers = {}): Promise<LightMyRequestResponse> {
    const ofForm = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
    const payload = typeof form === 'string' ? form : formEncode(form)
    return this.inject({ method: 'POST', url, headers: ofForm, payload })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close()
  }
}

/** A caller of the API, with a token or without. */
export class Client {
  readonly portal: TestPortal
  readonly token: string | undefined
  readonly username: string | undefined

  constructor(portal: TestPortal, token: string | undefined, username: string | undefined) {
    this.portal = portal
    this.token = token
    this.username = username
  }

  /** The whole response: to a form-encoded POST where a form is given, and else to a GET. */
  send(
    url: string,
    { form, headers = {} }: { form?: Parameters | string; headers?: Headers } = {},
  ): Promise<LightMyRequestResponse> {
    const authorized = { ...this.#authorization(), ...headers }
    if (form === undefined) return this.portal.inject({ url, headers: authorized })
    return this.portal.postForm(url, form, authorized)
  }

  /** The body of the answer to a form-encoded POST. */
  async post(path: string, parameters: Parameters = {}): Promise<Body> {
    return parseBody(await this.send(path, { form: parameters }))
  }

  async get(path: string, parameters: Parameters = {}): Promise<Body> {
    const query = formEncode(parameters)
    return parseBody(await this.send(query === '' ? path : `${path}?${query}`))
  }

  async createGroup(title: string, parameters: Parameters = {}): Promise<{ readonly id: string }> {
    const answer = await this.post('/community/createGroup', { title, ...parameters })
    if (!answer.group) throw new Error(`The group was not made: ${JSON.stringify(answer)}`)
    return answer.group
  }

  /** A new user of this administrator's organization, signed in; the password is `adminPassword`. */
  async invite(username: string, role = 'org_user'): Promise<Client> {
    const invitationList = { invitations: [{ username, role, password: adminPassword, fullname: username }] }
    const answer = await this.post('/portals/self/invite', { invitationList })
    if (answer.notInvited?.length !== 0) throw new Error(`${username} was not made: ${JSON.stringify(answer)}`)
    return this.portal.signIn(username, adminPassword)
  }

  /** A custom role with these privileges; resolves with its id. */
  async createRole(name: string, privileges: readonly string[]): Promise<string> {
    const { id } = await this.post('/portals/self/createRole', { name })
    await this.post(`/portals/self/roles/${id}/setPrivileges`, { privileges: { privileges } })
    return id
  }

  #authorization(): Record<string, string> {
    return this.token === undefined ? {} : { 'x-esri-authorization': `Bearer ${this.token}` }
  }
}

export function formEncode(parameters: Parameters): string {
  return new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()
}

function parseBody(response: LightMyRequestResponse): Body {
  try {
    return JSON.parse(response.body)
  } catch {
    throw new Error(`HTTP ${response.statusCode} with a body that is not JSON: ${response.body.slice(0, 500)}`)
  }
}
