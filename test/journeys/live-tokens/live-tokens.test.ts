import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../../support/length.ts'
import { addApp } from '../../support/portal/add-app.ts'
import { callToken, proofKey, signInToApp } from '../../support/portal/oauth.ts'
import { adminPassword, type Body, type Client, isReplicated, type TestPortal } from '../../support/portal/portal.ts'
import { expect, test } from '../../support/portal/test.ts'
import { type ModelApp, type ModelGrant, TokenModel } from './token-model.ts'

const interleavings = countOf({ sample: isReplicated ? 5 : 10, long: 2_000 })
const steps = countOf({ sample: 30, long: 10 })
const minute = 60_000
const { verifier, asked } = proofKey()

const apps: readonly ModelApp[] = [
  { clientId: 'coast', redirectUri: 'https://coast.example.com/', refreshMinutes: 14 * 1_440, rotatesAlways: false },
  { clientId: 'short', redirectUri: 'https://short.example.com/', refreshMinutes: 45, rotatesAlways: false },
  { clientId: 'rotating', redirectUri: 'https://rotating.example.com/', refreshMinutes: 300, rotatesAlways: true },
  {
    clientId: 'either',
    redirectUri: 'https://either.example.com/',
    refreshMinutes: 300,
    rotatesAlways: false,
    secret: 'a secret',
  },
]
const usernames = ['anna', 'bruno']

/** One user of the API at random, beside the model. */
class Walk {
  readonly #portal: TestPortal
  readonly #random: () => number
  readonly #passwords: Map<string, string>
  readonly model: TokenModel
  #admin: Client

  constructor(portal: TestPortal, admin: Client, passwords: Map<string, string>, random: () => number) {
    this.#portal = portal
    this.#admin = admin
    this.#passwords = passwords
    this.#random = random
    this.model = new TokenModel(portal.clock.now)
  }

  #one<Value>(values: readonly Value[]): Value | undefined {
    return values[Math.floor(this.#random() * values.length)]
  }

  #chance(share: number): boolean {
    return this.#random() < share
  }

  #anyApp(grant: ModelGrant): ModelApp {
    return this.#chance(0.9) ? grant.app : this.#one(apps)!
  }

  #call(
    type: string,
    { clientId, redirectUri, secret }: ModelApp,
    givesSecret: boolean,
    parameters: Readonly<Record<string, string>>,
  ): Promise<Body> {
    const own = { client_id: clientId, redirect_uri: redirectUri, client_secret: givesSecret ? secret : '' }
    return callToken(this.#portal, type, { ...own, ...parameters })
  }

  /** Takes a random step; resolves with its description for the message of a failure. */
  async step(): Promise<string> {
    const actions: readonly (readonly [number, () => Promise<string>])[] = [
      [5, () => this.#signIn()],
      [4, () => this.#useCode()],
      [6, () => this.#refresh('refresh_token')],
      [4, () => this.#refresh('exchange_refresh_token')],
      [2, () => this.#revoke()],
      [1, () => this.#generateToken()],
      [1, () => this.#changePassword()],
      [1, () => this.#endSession()],
      [0.5, () => this.#endAll()],
      [0.7, () => this.#disable()],
      [1.5, () => this.#enable()],
      [4, () => this.#wait()],
    ]
    const total = actions.reduce((sum, [weight]) => sum + weight, 0)
    let at = this.#random() * total
    for (const [weight, act] of actions) {
      at -= weight
      if (at < 0) return act()
    }
    return this.#wait()
  }

  async #signIn(): Promise<string> {
    const username = this.#one(usernames.filter((name) => !this.model.disabled.has(name)))
    if (username === undefined) return 'nothing'
    const app = this.#one(apps)!
    const { clientId: client_id, redirectUri: redirect_uri } = app
    const expiration = String(app.refreshMinutes)
    const password = this.#passwords.get(username)!
    const code = await signInToApp(
      this.#portal,
      { client_id, redirect_uri, expiration, ...asked },
      { username, password },
    )
    const grant = this.model.signIn(username, app, code)
    if (this.#chance(0.8)) await this.#exchangeCode(grant, app)
    return `${username} signs in to ${client_id}`
  }

  async #useCode(): Promise<string> {
    const grant = this.#one(this.model.grants)
    if (!grant) return 'nothing'
    // A code that was used already ends much: not every time.
    if (grant.isCodeUsed && this.#chance(0.8)) return 'nothing'
    const app = this.#anyApp(grant)
    await this.#exchangeCode(grant, app)
    return `${app.clientId} uses a code of ${grant.app.clientId}`
  }

  async #exchangeCode(grant: ModelGrant, app: ModelApp): Promise<void> {
    const may = this.model.mayUseCode(grant, app)
    const givesSecret = app.secret !== undefined && this.#chance(0.6)
    const given = { code: grant.code, code_verifier: verifier }
    const answer = await this.#call('authorization_code', app, givesSecret, given)
    expect('access_token' in answer).toBe(may)
    if (may) this.model.takeOfCode(grant, givesSecret, { access: answer.access_token, refresh: answer.refresh_token })
  }

  async #refresh(type: 'refresh_token' | 'exchange_refresh_token'): Promise<string> {
    const grant = this.#one(this.model.grants.filter(({ refreshTokens }) => refreshTokens.length > 0))
    // Mostly the last one: an earlier one ends the grant.
    const token = grant && (this.#chance(0.85) ? grant.refreshTokens.at(-1) : this.#one(grant.refreshTokens))
    if (!grant || !token) return 'nothing'
    const app = this.#anyApp(grant)
    const givesSecret = app.secret !== undefined && this.#chance(0.6)
    const may = this.model.mayRefresh(grant, token, app, givesSecret)
    const answer = await this.#call(type, app, givesSecret, { refresh_token: token.value })
    expect('access_token' in answer).toBe(may)
    if (may) {
      const given = { access: answer.access_token, refresh: answer.refresh_token }
      expect(given.refresh !== undefined).toBe(type === 'exchange_refresh_token' || app.rotatesAlways)
      this.model.takeOfRefresh(grant, token, type === 'exchange_refresh_token', given)
    }
    return `${app.clientId} sends ${type} of ${grant.app.clientId}`
  }

  async #revoke(): Promise<string> {
    const grant = this.#one(this.model.grants.filter(({ refreshTokens }) => refreshTokens.length > 0))
    if (!grant) return 'nothing'
    const live = grant.accessTokens.filter(({ expiresAt }) => expiresAt > this.model.now)
    const token = this.#one([...grant.refreshTokens, ...live])!
    const app = this.#chance(0.3) ? undefined : this.#chance(0.7) ? grant.app : this.#one(apps)
    const parameters = { auth_token: token.value, ...(app && { client_id: app.clientId }) }
    expect(await this.#portal.anonymous.post('/oauth2/revokeToken', parameters)).toEqual({ success: true })
    this.model.revokeGrant(grant, app)
    return `${app?.clientId} revokes a token of ${grant.app.clientId}`
  }

  async #generateToken(): Promise<string> {
    const username = this.#one(usernames.filter((name) => !this.model.disabled.has(name)))
    if (username === undefined) return 'nothing'
    const { token, expires } = await this.#portal.anonymous.post('/generateToken', {
      username,
      password: this.#passwords.get(username)!,
      expiration: '100',
    })
    this.model.plain.push({ username, token: { value: token, expiresAt: expires } })
    return `${username} generates a token`
  }

  async #changePassword(): Promise<string> {
    const username = this.#one(usernames.filter((name) => !this.model.disabled.has(name)))
    if (username === undefined) return 'nothing'
    const oldPassword = this.#passwords.get(username)!
    const newPassword = `the password at ${this.model.now} ${this.#random()}`
    const client = await this.#portal.signIn(username, oldPassword)
    const path = `/community/users/${username}/changePassword`
    expect(await client.post(path, { oldPassword, newPassword })).toMatchObject({ success: true })
    this.#passwords.set(username, newPassword)
    this.model.endAllOf(username)
    return `${username} changes the password`
  }

  async #sessionsOf(username: string): Promise<readonly Body[]> {
    const { sessions } = await this.#admin.get(`/community/users/${username}/sessions`, { num: '100' })
    return sessions.filter(({ kind }: Body) => kind === 'app')
  }

  async #endSession(): Promise<string> {
    const username = this.#one(usernames)!
    const session = this.#one(await this.#sessionsOf(username))
    if (!session) return 'nothing'
    // Which of the model it is can be seen by its times only: one that is not the only such one is left alone.
    const such = this.model.grants.filter(
      (grant) =>
        this.model.isLive(grant) &&
        grant.username === username &&
        grant.app.clientId === session.clientId &&
        grant.expiresAt === session.expires &&
        grant.lastUsedAt === session.lastUsed,
    )
    expect(such.length).toBeGreaterThan(0)
    if (such.length > 1) return 'nothing'
    await this.#admin.post(`/community/users/${username}/sessions/${session.id}/end`)
    such[0]!.hasEnded = true
    return `a session of ${username} is ended`
  }

  async #endAll(): Promise<string> {
    const username = this.#one(usernames)!
    await this.#admin.post(`/community/users/${username}/sessions/endAll`)
    this.model.endAllOf(username)
    return `all sessions of ${username} are ended`
  }

  async #disable(): Promise<string> {
    const username = this.#one(usernames)!
    await this.#admin.post(`/community/users/${username}/disable`)
    this.model.disabled.add(username)
    this.model.endAllOf(username)
    return `${username} is disabled`
  }

  async #enable(): Promise<string> {
    const username = this.#one([...this.model.disabled])
    if (username === undefined) return 'nothing'
    await this.#admin.post(`/community/users/${username}/enable`)
    this.model.disabled.delete(username)
    return `${username} is enabled`
  }

  async #wait(): Promise<string> {
    const passed = this.#one([
      1,
      59_999,
      minute,
      10 * minute,
      29 * minute,
      31 * minute,
      180 * minute,
      4 * 1_440 * minute,
    ])!
    this.#portal.clock.now += passed
    this.model.now += passed
    this.#admin = await this.#portal.admin()
    return `${passed} ms pass`
  }

  /** Everything that the server and the model say differently. */
  async findDifferences(): Promise<readonly unknown[]> {
    const differences: unknown[] = []
    for (const { value, username, lives } of this.model.accessTokens().slice(-20)) {
      const self = await this.#portal.anonymous.get('/community/self', { token: value })
      if (self.username !== (lives ? username : undefined)) differences.push({ username, lives, self })
    }
    for (const username of usernames) {
      const [listed, live] = [(await this.#sessionsOf(username)).length, this.model.liveGrants(username)]
      if (listed !== live) differences.push({ username, listed, live })
    }
    return differences
  }

  async end(): Promise<void> {
    this.#admin = await this.#portal.admin()
    for (const username of usernames) {
      await this.#admin.post(`/community/users/${username}/enable`)
      await this.#admin.post(`/community/users/${username}/sessions/endAll`)
    }
  }
}

test(`after each of ${steps} steps of sign-ins, refreshes and ends the tokens live that have to`, {
  timeout: timeoutOf(interleavings, 20_000),
}, async ({ portal, admin }) => {
  for (const { clientId, redirectUri, rotatesAlways, secret } of apps) {
    const appType = secret === undefined ? 'browser' : 'multiple'
    await addApp(portal, { clientId, redirectUris: [redirectUri], rotatesAlways, appType, ...(secret && { secret }) })
  }
  for (const username of usernames) await admin.invite(username)
  const passwords = new Map(usernames.map((username) => [username, adminPassword]))
  const done = new Map<string, number>()
  for (let seed = 1; seed <= interleavings; seed += 1) {
    const walk = new Walk(portal, await portal.admin(), passwords, seededRandom(seed))
    // Ends the tokens of the walk before.
    await walk.end()
    const story: string[] = []
    for (let step = 0; step < steps; step += 1) {
      story.push(await walk.step())
      const differences = await walk.findDifferences()
      expect({ seed, differences, story: differences.length > 0 ? story : [] }).toEqual({
        seed,
        differences: [],
        story: [],
      })
    }
    for (const text of story) done.set(text.split(' ')[1] ?? '', (done.get(text.split(' ')[1] ?? '') ?? 0) + 1)
  }
  // Nothing of it was idle.
  for (const word of ['signs', 'uses', 'sends', 'revokes', 'changes', 'is', 'ms'])
    expect(done.get(word)).toBeGreaterThan(0)
})
