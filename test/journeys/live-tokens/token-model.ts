/** Which tokens live, in as few lines as possible: what the server answers has to agree with it. */

const minute = 60_000
const idle = 7 * 1_440 * minute

export interface ModelToken {
  readonly value: string
  readonly expiresAt: number
  /** Set for a refresh token. */
  isExchanged?: boolean
}

export interface ModelGrant {
  readonly username: string
  readonly app: ModelApp
  readonly code: string
  readonly codeExpiresAt: number
  isCodeUsed: boolean
  hasEnded: boolean
  /** The secret was given for the code. */
  needsSecret: boolean
  expiresAt: number
  lastUsedAt: number
  refreshTokens: ModelToken[]
  accessTokens: ModelToken[]
}

export interface ModelApp {
  readonly clientId: string
  readonly redirectUri: string
  readonly refreshMinutes: number
  readonly rotatesAlways: boolean
  /** Secret by which the app may authenticate in place of a proof key. */
  readonly secret?: string
}

/** Tokens that the server issued. */
export interface GivenTokens {
  readonly access: string
  readonly refresh: string | undefined
}

/** Each method returns whether the server has to give tokens; `take` records them. */
export class TokenModel {
  readonly grants: ModelGrant[] = []
  /** Tokens issued by username and password. */
  plain: { readonly username: string; readonly token: ModelToken }[] = []
  readonly disabled = new Set<string>()
  now: number

  constructor(now: number) {
    this.now = now
  }

  isLive(grant: ModelGrant): boolean {
    return !grant.hasEnded && grant.expiresAt > this.now && grant.lastUsedAt + idle > this.now
  }

  liveGrants(username: string): number {
    return this.grants.filter((grant) => grant.username === username && this.isLive(grant)).length
  }

  /** Every token that was ever given, and whether it lives. */
  accessTokens(): readonly { readonly value: string; readonly username: string; readonly lives: boolean }[] {
    const ofApps = this.grants.flatMap(({ username, accessTokens, hasEnded }) =>
      accessTokens.map(({ value, expiresAt }) => ({ value, username, lives: !hasEnded && expiresAt > this.now })),
    )
    const others = this.plain.map(({ username, token }) => ({
      value: token.value,
      username,
      lives: token.expiresAt > this.now,
    }))
    return [...ofApps, ...others]
  }

  signIn(username: string, app: ModelApp, code: string): ModelGrant {
    const codeExpiresAt = this.now + minute
    const grant: ModelGrant = {
      username,
      app,
      code,
      codeExpiresAt,
      isCodeUsed: false,
      hasEnded: false,
      needsSecret: false,
      expiresAt: codeExpiresAt,
      lastUsedAt: this.now,
      refreshTokens: [],
      accessTokens: [],
    }
    this.grants.push(grant)
    return grant
  }

  mayUseCode(grant: ModelGrant, app: ModelApp): boolean {
    if (grant.hasEnded || app !== grant.app) return false
    if (grant.isCodeUsed) {
      grant.hasEnded = true
      return false
    }
    return grant.codeExpiresAt > this.now
  }

  takeOfCode(grant: ModelGrant, givesSecret: boolean, given: GivenTokens): void {
    grant.isCodeUsed = true
    grant.needsSecret = givesSecret
    grant.lastUsedAt = this.now
    grant.expiresAt = this.now + grant.app.refreshMinutes * minute
    grant.refreshTokens.push({ value: given.refresh!, expiresAt: grant.expiresAt })
    this.#takeAccess(grant, given)
  }

  mayRefresh(grant: ModelGrant, token: ModelToken, app: ModelApp, givesSecret: boolean): boolean {
    if (grant.hasEnded || app !== grant.app || (grant.needsSecret && !givesSecret)) return false
    if (token.isExchanged) {
      grant.hasEnded = true
      return false
    }
    return token.expiresAt > this.now && this.isLive(grant)
  }

  takeOfRefresh(grant: ModelGrant, token: ModelToken, isExchange: boolean, given: GivenTokens): void {
    grant.lastUsedAt = this.now
    if (isExchange || grant.app.rotatesAlways) {
      token.isExchanged = true
      grant.accessTokens = grant.accessTokens.map((access) => ({ ...access, expiresAt: 0 }))
      grant.expiresAt = isExchange ? this.now + grant.app.refreshMinutes * minute : token.expiresAt
      grant.refreshTokens.push({ value: given.refresh!, expiresAt: grant.expiresAt })
    }
    this.#takeAccess(grant, given)
  }

  #takeAccess(grant: ModelGrant, { access }: GivenTokens): void {
    grant.accessTokens.push({ value: access, expiresAt: Math.min(this.now + 30 * minute, grant.expiresAt) })
  }

  revokeGrant(grant: ModelGrant, app: ModelApp | undefined): void {
    if (app === undefined || app === grant.app) grant.hasEnded = true
  }

  endAllOf(username: string): void {
    for (const grant of this.grants) if (grant.username === username) grant.hasEnded = true
    this.plain = this.plain.map((one) =>
      one.username === username ? { ...one, token: { ...one.token, expiresAt: 0 } } : one,
    )
  }
}
