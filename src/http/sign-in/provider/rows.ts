import { type JudgedIdentity, judgeIdentity } from '../../../identities/claims.ts'
import { type IdentityProvider, ProviderFailure } from '../../../identities/provider.ts'
import type { ProviderSettings } from '../../../identities/rules.ts'
import { beginProviderSignIn, type ProviderOutcome } from '../../../identities/sign-in-operations.ts'
import { maxAgentLength } from '../../../oauth/grant.ts'
import { requestMilliseconds } from '../../../oauth/lifetimes.ts'
import type { GivenAuthorization } from '../../../oauth/sign-in/authorization.ts'
import { addressKey } from '../../../tokens/address.ts'
import { beginSignIn } from '../../../tokens/sign-in.ts'
import { optionalText } from '../../endpoints/parameter-types.ts'
import { signInTo } from '../../endpoints/sign-in.ts'
import { formatNewPassword } from '../new-password-page.ts'
import { tooManyAttempts, wrongPassword } from '../page.ts'
import { type PageAnswer, type PageRow, pageRow, type Visit } from '../page-row.ts'
import { authorizeAgain, openTicket } from '../ticket.ts'
import { absentPage, linkPage, refusalPage, signedInPage, startAgainPage } from './pages.ts'
import { keepLink, keepTransaction, type PendingLink, readLink, removeLink, takeTransaction } from './transactions.ts'

/** Characters of an ID token that is kept for the sign-out at the provider. */
const maxIdTokenLength = 16_384

/** Sign-in through an identity provider, as a browser goes through it. */
export const providerRows: readonly PageRow[] = [
  pageRow({
    id: 'beginProviderSignIn',
    title: 'Sign in through the identity provider',
    task: 'sign in',
    path: '/oidc/start',
    isAtRoot: true,
    methods: ['GET'],
    effect: 'none',
    parameters: { oauth_state: optionalText('What the page of sign-in has under this name.', { isSecret: true }) },
    summary: 'Leads to the identity provider.',
    source: 'chosen',
    async answer(visit) {
      const { provider, settings } = providerOf(visit)
      if (!provider || !settings) return absentPage(visit)
      const isForApp = visit.requestParameters.find('oauth_state') !== undefined
      const ticket = await openTicket(visit)
      if (isForApp && (!ticket || ticket.madeAt + requestMilliseconds <= visit.now)) return startAgainPage(visit)
      if ((await visit.read(beginProviderSignIn, settings.rules)) === undefined) return absentPage(visit)
      const { random } = visit.dependencies
      const secrets = { state: random.token(), nonce: random.token(), verifier: random.token() }
      const transaction = { ...secrets, given: ticket?.given, madeAt: visit.now }
      const cookies = await keepTransaction(visit, transaction)
      if (!cookies) return refusalPage(visit, visit.texts.text('tooLongToKeep'), undefined)
      try {
        return { redirect: await provider.begin(transaction, callbackOf(visit)), cookies }
      } catch (error) {
        return failed(visit, error, ticket?.given)
      }
    },
  }),
  pageRow({
    id: 'signInByProvider',
    title: 'Return from the identity provider',
    task: 'sign in',
    path: '/oidc/callback',
    isAtRoot: true,
    methods: ['GET'],
    effect: 'change',
    parameters: {
      code: optionalText('Code of the identity provider.'),
      state: optionalText('What the sign-in began with.'),
      iss: optionalText('The identity provider (RFC 9207).'),
      error: optionalText('Why there is no code.'),
      error_description: optionalText('The same in words.'),
    },
    summary: 'Signs in the user whom the identity provider has proven, in this browser.',
    source: 'chosen',
    chosen: [
      'Users are known by issuer and subject, and never by a username or an e-mail address that the provider merely says.',
      'A first sign-in is linked to the user whom an administrator has entered, or who shows the password.',
    ],
    async answer(visit) {
      const { provider, settings } = providerOf(visit)
      if (!provider || !settings) return absentPage(visit)
      const given = 'value' in visit.input ? visit.input.value : undefined
      if (!given?.state) return startAgainPage(visit)
      const { transaction, removed } = await takeTransaction(visit, given.state)
      if (!transaction) return startAgainPage(visit)
      const answer = new URL(callbackOf(visit))
      for (const [name, value] of Object.entries(given)) if (value !== undefined) answer.searchParams.set(name, value)
      try {
        const proven = await provider.complete(transaction, answer)
        const identity = judgeIdentity(proven, settings.rules)
        if ('refused' in identity) return { ...refuse(visit, identity.refused, transaction.given), cookies: removed }
        const session = await newSession(visit, proven.session, proven.idToken)
        const outcome = await visit.run('signInByProvider', {
          identity,
          rules: settings.rules,
          userId: visit.dependencies.random.id(),
          session: session.stored,
        })
        const pending = { identity, session: proven.session, given: transaction.given, madeAt: visit.now }
        const page = await answerOutcome(visit, outcome, session.token, pending)
        return { ...page, cookies: [...removed, ...(page.cookies ?? [])] }
      } catch (error) {
        return { ...failed(visit, error, transaction.given), cookies: removed }
      }
    },
  }),
  pageRow({
    id: 'linkIdentity',
    title: 'Link an account',
    task: 'link the account',
    path: '/oidc/link',
    isAtRoot: true,
    methods: ['POST'],
    effect: 'change',
    checksPassword: true,
    parameters: {
      username: optionalText('Username.', { maxLength: 128 }),
      password: optionalText('Password.', { isSecret: true }),
    },
    summary: 'Links the account of the identity provider to the user whose password is given, and signs in.',
    source: 'chosen',
    chosen: [
      'A form of another site is refused.',
      'A wrong password is counted with those of every other way to sign in.',
    ],
    async answer(visit) {
      const { settings } = providerOf(visit)
      const pending = await readLink(visit)
      if (!settings || !pending || visit.findCrossSiteOrigin() !== undefined) return startAgainPage(visit)
      const { username, password } = 'value' in visit.input ? visit.input.value : {}
      if (!username || !password) return askAgain(visit, pending, wrongPassword(visit.texts).shown)
      const { dependencies } = visit
      const signIn = signInTo(username, visit)
      const { passwordHash, turn } = await visit.read(beginSignIn, signIn)
      const matches = await dependencies.passwords.verify(password, passwordHash, turn)
      const session = await newSession(visit, pending.session, undefined)
      const link = dependencies.random.token()
      const outcome = await visit.run('linkIdentity', {
        identity: pending.identity,
        rules: settings.rules,
        userId: dependencies.random.id(),
        session: session.stored,
        linkHash: dependencies.random.hashToken(link),
        signIn: { ...signIn, verifiedHash: matches ? passwordHash : undefined },
      })
      if (outcome.outcome === 'temporary password') return askNewPassword(visit, username, link)
      return answerOutcome(visit, outcome, session.token, pending)
    },
    async answerRefusal(visit, failure) {
      const pending = failure.code === 429 ? await readLink(visit) : undefined
      return pending && askAgain(visit, pending, tooManyAttempts(visit.texts, failure).shown, 429)
    },
  }),
  // Sign-out that begins at the identity provider, which calls this itself (OpenID Connect Back-Channel Logout 1.0).
  pageRow({
    id: 'endProviderSessions',
    title: 'Sign-out at the identity provider',
    task: 'end sessions',
    path: '/oidc/backchannelLogout',
    isAtRoot: true,
    isForPrograms: true,
    methods: ['POST'],
    effect: 'change',
    parameters: { logout_token: optionalText('The logout token.', { isSecret: true }) },
    summary: 'Ends the browser sessions that the logout token names, and what apps were granted by them.',
    source: 'OpenID Connect Back-Channel Logout 1.0',
    chosen: ['A logout token counts once, and for two minutes.'],
    async answer(visit) {
      const { dependencies, input, requestParameters } = visit
      const { identityProvider, random } = dependencies
      if (!identityProvider) return refused('There is no identity provider on this server.')
      const token = 'value' in input ? input.value.logout_token : undefined
      if (!token || requestParameters.isInQuery('logout_token')) return refused('logout_token is required in the body.')
      try {
        const { tokenId, ...notice } = await identityProvider.readLogoutToken(token)
        const tokenHash = random.hashToken(`${notice.issuer} ${tokenId}`)
        const { isAccepted } = await visit.run('endProviderSessions', { ...notice, tokenHash })
        return isAccepted ? { status: 200, json: {} } : refused('The logout token was used before.')
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error
        visit.warn(error.message)
        return refused('The logout token is not valid.')
      }
    },
    // Not 200, which would say that the sessions have ended.
    answerRefusal: async () => refused('The sessions could not be ended.'),
  }),
]

function providerOf({ dependencies, settings }: Visit): {
  readonly provider: IdentityProvider | undefined
  readonly settings: ProviderSettings | undefined
} {
  return { provider: dependencies.identityProvider, settings: settings.identityProvider }
}

/** Taken from the settings, and never from what a request says of its host. */
function callbackOf({ publicUrl }: Visit): string {
  return `${publicUrl}/oidc/callback`
}

async function newSession(visit: Visit, providerSession: string | undefined, idToken: string | undefined) {
  const { dependencies, sessionHash, address, agent } = visit
  const { random, tickets } = dependencies
  const token = random.token()
  const isKept =
    idToken !== undefined && idToken.length <= maxIdTokenLength && visit.settings.identityProvider?.endsItsSession
  const stored = {
    sessionHash: random.hashToken(token),
    formerSessionHash: sessionHash,
    at: { address: addressKey(address), agent: agent.slice(0, maxAgentLength), providerSession },
    sealedIdToken: isKept ? await tickets.seal('id token', idToken) : undefined,
  }
  return { token, stored }
}

async function answerOutcome(
  visit: Visit,
  outcome: ProviderOutcome,
  session: string,
  pending: PendingLink,
): Promise<PageAnswer> {
  const { identity, given } = pending
  if (outcome.outcome === 'signed in') {
    visit.noteSignIn(outcome.username)
    const page: PageAnswer = given ? { redirect: authorizeAgain(visit, given) } : signedInPage(visit, outcome.username)
    return { ...page, session, cookies: removeLink(visit) }
  }
  if (outcome.outcome === 'password') return askAgain(visit, pending, wrongPassword(visit.texts).shown)
  if (outcome.outcome === 'refused') return refuse(visit, outcome.problem, given, outcome.isShown)
  return { ...askFirst(visit, identity, given), cookies: await keepLink(visit, pending) }
}

function askFirst(visit: Visit, { display }: JudgedIdentity, given: GivenAuthorization | undefined): PageAnswer {
  visit.warn('no user is linked to this account of the identity provider')
  return linkPage(visit, display, given, { username: undefined, message: undefined })
}

function askAgain(visit: Visit, { identity, given }: PendingLink, message: string, outcome = 400): PageAnswer {
  const typed = 'value' in visit.input ? visit.input.value['username'] : undefined
  const username = typeof typed === 'string' ? typed : undefined
  return { ...linkPage(visit, identity.display, given, { username, message }), outcome }
}

/** The sign-in begins again with the password that is chosen. */
function askNewPassword({ contextPath, texts }: Visit, username: string, link: string): PageAnswer {
  const shown = { texts, contextPath, link, username, ticket: undefined, isFirst: true, message: undefined }
  return { ...formatNewPassword(shown), outcome: 400 }
}

function refuse(visit: Visit, cause: string, given: GivenAuthorization | undefined, isShown = false): PageAnswer {
  visit.warn(cause)
  const sentence = visit.texts.text('noAccount')
  return refusalPage(visit, isShown ? `${sentence} (${cause})` : sentence, given)
}

/** Answers a failure of the provider, or a wrong answer of it; anything else is an error of this server. */
function failed(visit: Visit, error: unknown, given: GivenAuthorization | undefined): PageAnswer {
  if (!(error instanceof ProviderFailure)) throw error
  visit.warn(error.message)
  return refusalPage(
    visit,
    visit.texts.text(error.kind === 'unreachable' ? 'providerUnreachable' : 'providerRefused'),
    given,
  )
}

function refused(description: string): PageAnswer {
  return { status: 400, json: { error: 'invalid_request', error_description: description } }
}
