import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error: the package has no types
import Provider from 'oidc-provider'

/** Account that is signed in at the provider, with its claims. */
export interface Account {
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
}

export const clientId = 'cartulary'
export const clientSecret = 'secret of the client at the provider'
/** Address of the portals of tests. */
export const publicUrl = 'https://maps.example.com/portal'

/** A logout token that the provider has sent. */
export interface SentLogout {
  readonly url: string
  readonly token: string
}

/** A real identity provider on this machine, whose people sign in without a page. */
export class OpenIdServer implements AsyncDisposable {
  account: Account = { subject: 'subject-of-anna', claims: {} }
  /** Logout tokens, in place of calls to the portal. */
  readonly logouts: SentLogout[] = []
  /** Requests that it got, as method and path. */
  readonly requests: string[] = []
  readonly issuer: string
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async open(): Promise<OpenIdServer> {
    // The server keeps no process alive that has ended its tests.
    const listener = createServer().listen(0, '127.0.0.1').unref()
    await once(listener, 'listening')
    const server = new OpenIdServer(listener)
    const provider = server.#provide()
    const answer: (request: IncomingMessage, response: ServerResponse) => void = provider.callback()
    listener.on('request', (request, response) => {
      server.requests.push(`${request.method} ${request.url?.split('?')[0]}`)
      if (request.url?.startsWith('/interaction/')) void server.#signIn(provider, request, response)
      else answer(request, response)
    })
    return server
  }

  // biome-ignore lint/suspicious/noExplicitAny: the package has no types
  #provide(): any {
    return new Provider(this.issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${publicUrl}/oidc/callback`],
          post_logout_redirect_uris: [`${publicUrl}/sharing/rest/oauth2/signout`],
          backchannel_logout_uri: `${publicUrl}/oidc/backchannelLogout`,
          backchannel_logout_session_required: true,
        },
      ],
      pkce: { required: () => true },
      cookies: { keys: ['of tests'] },
      conformIdTokenClaims: false,
      claims: {
        openid: ['sub'],
        profile: ['preferred_username', 'name', 'groups'],
        email: ['email', 'email_verified'],
      },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          // The question, as a browser would answer it.
          logoutSource: (context: { body: string }, form: string) => {
            context.body = form
          },
        },
      },
      interactions: { url: (_context: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ ...this.account.claims, sub: id }),
      }),
      fetch: async (url: URL, { body }: { body: URLSearchParams }) => {
        this.logouts.push({ url: String(url), token: new URLSearchParams(String(body)).get('logout_token') ?? '' })
        return new Response('', { status: 200 })
      },
      ttl: {
        AccessToken: 3_600,
        AuthorizationCode: 60,
        Grant: 3_600,
        IdToken: 3_600,
        Interaction: 3_600,
        Session: 3_600,
      },
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: the package has no types
  async #signIn(provider: any, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login') {
      const login = { login: { accountId: this.account.subject } }
      return provider.interactionFinished(request, response, login, { mergeWithLastSubmission: false })
    }
    const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
    grant.addOIDCScope(params.scope)
    const consent = { consent: { grantId: await grant.save() } }
    return provider.interactionFinished(request, response, consent, { mergeWithLastSubmission: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
