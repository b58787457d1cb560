import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { clientId } from './openid-server.ts'

export const keyId = 'key of the provider'
type Claims = Readonly<Record<string, unknown>>

/** A provider that says whatever a test wants: every answer can be another one. */
export class HostileProvider implements AsyncDisposable {
  readonly issuer: string
  readonly key: CryptoKey
  readonly publicJwk: Readonly<Record<string, unknown>>
  /** Paths that were asked for. */
  readonly asked: string[] = []
  /** Members of the discovery in place of the true ones. */
  discovery: Claims = {}
  /** Handlers by path, in place of the own ones. */
  readonly handlers = new Map<string, RequestListener>()
  userInfo: Claims | undefined
  idToken = ''
  readonly #server: Server

  private constructor(server: Server, key: CryptoKey, publicJwk: Claims) {
    this.#server = server
    this.key = key
    this.publicJwk = publicJwk
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => {
      const path = request.url!.split('?')[0]!
      this.asked.push(path)
      const own = this.handlers.get(path)
      if (own) return own(request, response)
      const answer = this.#answer(path)
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? {}))
    })
  }

  static async open(): Promise<HostileProvider> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const jwk = { ...(await exportJWK(publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }
    return new HostileProvider(server, privateKey, jwk)
  }

  /** Says the truth again, and has not been asked anything. */
  reset(): void {
    this.asked.length = 0
    this.discovery = {}
    this.handlers.clear()
    this.userInfo = undefined
    this.idToken = ''
  }

  #answer(path: string): Claims | undefined {
    const { issuer } = this
    const discovery = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...(this.userInfo && { userinfo_endpoint: `${issuer}/me` }),
      ...this.discovery,
    }
    if (path === '/.well-known/openid-configuration') return discovery
    if (path === '/keys') return { keys: [this.publicJwk] }
    if (path === '/me') return this.userInfo
    if (path === '/token') {
      return { access_token: 'an access token', token_type: 'Bearer', expires_in: 60, id_token: this.idToken }
    }
    return undefined
  }

  /** Claims of an ID token that is in order. */
  claims(nonce: string, others: Claims = {}): Claims {
    const now = Math.floor(Date.now() / 1_000)
    return { iss: this.issuer, aud: clientId, sub: 'subject', iat: now, exp: now + 300, nonce, ...others }
  }

  sign(claims: Claims, header: Readonly<Record<string, string>> = {}, key: CryptoKey = this.key): Promise<string> {
    return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: keyId, ...header }).sign(key)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
