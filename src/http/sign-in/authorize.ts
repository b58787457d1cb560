import type { ProviderSettings } from '../../identities/rules.ts'
import { beginProviderSignIn } from '../../identities/sign-in-operations.ts'
import { isRegistered, outOfBand, withAnswer } from '../../oauth/apps/redirect-uri.ts'
import { maxAgentLength } from '../../oauth/grant.ts'
import { requestMilliseconds } from '../../oauth/lifetimes.ts'
import {
  type AuthorizationRequest,
  type GivenAuthorization,
  judgeAuthorization,
  maxStateLength,
} from '../../oauth/sign-in/authorization.ts'
import { readSignIn, type SignInView } from '../../oauth/sign-in/sign-in-operations.ts'
import { addressKey } from '../../tokens/address.ts'
import { beginSignIn } from '../../tokens/sign-in.ts'
import { newPasswordAddress } from '../endpoints/new-password-address.ts'
import {
  optionalBoolean,
  optionalChoice,
  optionalInteger,
  optionalText,
  type Parameter,
  Wrong,
} from '../endpoints/parameter-types.ts'
import { signInTo } from '../endpoints/sign-in.ts'
import { withoutEffect } from '../endpoints/unused-parameters.ts'
import { html } from '../pages/html.ts'
import { lostPasswordLink } from './lost-password.ts'
import { formatNewPassword } from './new-password-page.ts'
import { messagePage, passwordSentences } from './page.ts'
import { type PageAnswer, type PageRow, pageRow, type Visit } from './page-row.ts'
import { formatApproval, formatData, formatInvalid, formatSignIn, type SignInPage } from './pages.ts'
import { authorizeAgain, openTicket, type Ticket } from './ticket.ts'

// The Python client shows only what has these words in it (observed).
const codeRefused =
  'This server gives no codes to copy for a password; sign in by an app that has an address. (Programs: invalid username or password.)'
const beginAgain = 'This page of sign-in is not valid any more. Go back to the app, and sign in there again.'

const minutes = optionalInteger('Lifetime of the refresh token in minutes; -1 for the longest.', { minimum: -1 })
const expiration: Parameter<number | undefined> = {
  ...minutes,
  read(given) {
    const value = minutes.read(given)
    return value === 0 ? new Wrong('has to be 1 or more, or -1.') : value
  },
}

/** Sign-in to an app, as a browser goes through it. */
export const authorizeRows: readonly PageRow[] = [
  pageRow({
    id: 'readSignIn',
    title: 'Authorize',
    task: 'sign in',
    path: '/oauth2/authorize',
    methods: ['GET'],
    effect: 'none',
    parameters: {
      client_id: optionalText('Client id of the app.'),
      response_type: optionalText('`code`; `token` is refused.'),
      redirect_uri: optionalText(
        'A registered address of the app, or `urn:ietf:wg:oauth:2.0:oob` for a code on a page.',
      ),
      state: optionalText('Returned to the address as it is.'),
      expiration,
      code_challenge: optionalText('Challenge of a proof key (RFC 7636).'),
      code_challenge_method: optionalText(
        '`S256`; `plain` only for addresses on the same machine, or where the app allows it.',
      ),
      prepopulatedusername: optionalText('Fills in the username.', { maxLength: 128 }),
      force_login: optionalBoolean('Asks for the password although there is a session.'),
      password_form: optionalBoolean('Shows the fields for a password where the server hides them.'),
      ...withoutEffect('locale', 'style', 'display', 'allow_verification', 'redirectToUserOrgUrl'),
    },
    summary: 'The page on which a user signs in to an app.',
    source: 'documented',
    chosen: [
      'The implicit flow is refused; apps that keep no secret need a proof key.',
      'A redirect address is compared character by character.',
    ],
    async answer(visit) {
      const { input, read, settings, sessionHash } = visit
      if ('problems' in input) return refuseValues(visit, input.problems.join(' '))
      const { client_id, redirect_uri, prepopulatedusername, force_login, password_form, ...others } = input.value
      if (client_id === undefined) return formatInvalid('client_id', 'client_id: give a value.')
      const asked = {
        clientId: client_id,
        redirectUri: redirect_uri,
        publicUrl: visit.publicUrl,
        sessionHash: force_login ? undefined : sessionHash,
      }
      const view = await read(readSignIn, asked)
      if (!view) return formatInvalid('client_id', 'No app of this id is registered here.')
      const given: GivenAuthorization = {
        clientId: client_id,
        responseType: others.response_type,
        redirectUri: redirect_uri,
        state: others.state,
        challenge: others.code_challenge,
        challengeMethod: others.code_challenge_method,
        expiration: others.expiration,
      }
      const judged = judgeAuthorization(view.app, given, settings.maxRefreshTokenMinutes)
      if ('page' in judged) return refusedPage(judged.page)
      if ('error' in judged) return sendRefusal(redirect_uri!, judged.error, judged.description, others.state)
      const { request } = judged
      if (!view.isAsked) return continueInSession(visit, view, request)
      const shown = { username: prepopulatedusername, showsForm: password_form === true }
      return signInPage(visit, view, { given, request }, shown)
    },
  }),
  pageRow({
    id: 'signInToApp',
    title: 'Sign in',
    task: 'sign in',
    path: '/oauth2/signin',
    methods: ['POST'],
    effect: 'change',
    checksPassword: true,
    parameters: {
      oauth_state: optionalText('What the page of sign-in has under this name.', { isSecret: true }),
      username: optionalText('Username.', { maxLength: 128 }),
      password: optionalText('Password.', { isSecret: true }),
      continue: optionalChoice('Goes on as the user of the session.', ['true']),
      decline: optionalChoice('Goes back to the app without signing in.', ['true']),
      ...withoutEffect('authorize', 'user_orgkey'),
    },
    summary: 'Signs in to an app: leads to its address with a code, or shows the code.',
    source: 'observed',
    chosen: [
      'A form of another site is refused.',
      'With the setting `PROGRAM_PASSWORDS=refused`, no password is taken for a code that is shown.',
      'A wrong password is counted with those of every other way to sign in.',
    ],
    async answer(visit) {
      const { input, findCrossSiteOrigin } = visit
      if (findCrossSiteOrigin() !== undefined) return invalidPage()
      const ticket = await openTicket(visit)
      if (!ticket) return invalidPage()
      const { given, request } = ticket
      if (ticket.madeAt + requestMilliseconds <= visit.now) return expiredPage(visit, given)
      if ('problems' in input) return passwordRefused(visit, ticket, passwordSentences.wrong)
      const { username, password, continue: isContinued, decline } = input.value
      if (decline) return declined(request)
      const { publicUrl, sessionHash } = visit
      const { clientId, redirectUri } = request
      const view = await visit.read(readSignIn, { clientId, redirectUri, publicUrl, sessionHash })
      if (!view) return formatInvalid('client_id', 'No app of this id is registered here.')
      if (isContinued) {
        // By then, the browser may have the session of another user, whom the page did not name.
        const isOther = view.username !== undefined && view.username !== ticket.username
        if (isOther) return signInPage(visit, view, ticket, { username: undefined, showsForm: false })
        return continueInSession(visit, view, request)
      }
      if (!username || !password) return passwordRefused(visit, ticket, passwordSentences.wrong)
      if (redirectUri === outOfBand && !visit.settings.takesPasswordsOfPrograms) {
        return passwordRefused(visit, ticket, codeRefused)
      }
      return signInByPassword(visit, view, ticket, username, password)
    },
    async answerRefusal(visit, failure) {
      const ticket = failure.code === 429 ? await openTicket(visit) : undefined
      return ticket && passwordRefused(visit, ticket, passwordSentences.tooMany, 429, failure.reasons)
    },
  }),
]

async function signInByPassword(
  visit: Visit,
  view: SignInView,
  ticket: Ticket,
  username: string,
  password: string,
): Promise<PageAnswer> {
  const { dependencies, isBrowser, sessionHash } = visit
  const signIn = signInTo(username, visit)
  const { passwordHash, turn } = await visit.read(beginSignIn, signIn)
  const matches = await dependencies.passwords.verify(password, passwordHash, turn)
  const session = isBrowser ? dependencies.random.token() : undefined
  const { code, ...grant } = newGrant(visit, ticket.request)
  const link = dependencies.random.token()
  const { outcome } = await visit.run('signInToApp', {
    ...signIn,
    ...grant,
    linkHash: dependencies.random.hashToken(link),
    verifiedHash: matches ? passwordHash : undefined,
    sessionHash: session === undefined ? undefined : dependencies.random.hashToken(session),
    formerSessionHash: sessionHash,
  })
  if (outcome === 'app') return appGone()
  if (outcome === 'temporary password') return passwordExpired(visit, view, ticket, { link, username })
  if (outcome !== 'signed in') return passwordRefused(visit, ticket, passwordSentences.wrong)
  visit.noteSignIn(username)
  const answer = sendCode(code, view, ticket.request)
  return session === undefined ? answer : { ...answer, session }
}

async function continueInSession(visit: Visit, view: SignInView, request: AuthorizationRequest): Promise<PageAnswer> {
  const { code, ...grant } = newGrant(visit, request)
  if (visit.sessionHash === undefined) return invalidPage()
  const { outcome } = await visit.run('continueToApp', { ...grant, sessionHash: visit.sessionHash })
  if (outcome === 'app') return appGone()
  if (outcome !== 'signed in') return { ...invalidPage(), session: null }
  if (view.username !== undefined) visit.noteSignIn(view.username)
  return sendCode(code, view, request)
}

function newGrant({ dependencies, publicUrl, address, agent }: Visit, request: AuthorizationRequest) {
  const { random } = dependencies
  const code = random.token()
  const at = { address: addressKey(address), agent: agent.slice(0, maxAgentLength) }
  return { request, publicUrl, code, codeHash: random.hashToken(code), grantId: random.id(), at }
}

function sendCode(code: string, view: SignInView, { redirectUri, state }: AuthorizationRequest): PageAnswer {
  if (redirectUri === outOfBand) return formatApproval(code, view)
  return { redirect: withAnswer(redirectUri, { code, state }) }
}

function sendRefusal(redirectUri: string, error: string, description: string, given: string | undefined): PageAnswer {
  // Sent back, a longer one would be an address that no program reads.
  const state = (given?.length ?? 0) > maxStateLength ? undefined : given
  if (redirectUri === outOfBand) return { ...messagePage(`Error: ${error}`, description), outcome: 400 }
  return { redirect: withAnswer(redirectUri, { error, error_description: description, state }) }
}

/**
 * Sends errors other than those of the client and the address back to the app (RFC 6749 §4.1.2.1), unless a parameter is given
 * twice (chosen).
 */
async function refuseValues(
  { requestParameters: given, publicUrl, read }: Visit,
  description: string,
): Promise<PageAnswer> {
  const texts = ['client_id', 'redirect_uri', 'state'].map((name) => {
    const value = given.find(name)
    return value && 'text' in value ? value.text : undefined
  })
  const [clientId, redirectUri, state] = texts
  const isClear = given.names().every((name) => !('texts' in (given.find(name) ?? {})))
  const asked = { publicUrl, redirectUri, sessionHash: undefined }
  const view = clientId === undefined || !isClear ? undefined : await read(readSignIn, { ...asked, clientId })
  if (!view || redirectUri === undefined || !isRegistered(redirectUri, view.app)) {
    return { ...messagePage('Error: 400', description), outcome: 400 }
  }
  return sendRefusal(redirectUri, 'invalid_request', description, state)
}

function declined({ redirectUri, state }: AuthorizationRequest): PageAnswer {
  return sendRefusal(redirectUri, 'access_denied', 'The user did not sign in.', state)
}

function refusedPage(reason: 'redirectUri' | 'implicit'): PageAnswer {
  if (reason === 'redirectUri') return formatInvalid('redirect_uri', 'This address is not registered for the app.')
  const sentence = 'response_type=token is not supported: the app has to ask for a code.'
  return { ...messagePage('Error: unsupported_response_type', sentence), outcome: 400 }
}

/** Between the page and its form. */
function appGone(): PageAnswer {
  return formatInvalid('client_id', 'The app is not registered any more, or not with this address.')
}

function invalidPage(): PageAnswer {
  return { ...messagePage('Start again', beginAgain), outcome: 400 }
}

/** Page with a link that begins the same sign-in again. */
function expiredPage(visit: Visit, given: GivenAuthorization): PageAnswer {
  const sentence = 'This page was open for more than half an hour.'
  const more = html`<p><a href="${authorizeAgain(visit, given)}">Sign in</a></p>`
  return { ...messagePage('Start again', sentence, more), outcome: 400 }
}

/**
 * Leads on to choosing a new password. The Python client, which cannot, shows a message that has these words in front
 * (observed).
 */
async function passwordExpired(
  { dependencies, contextPath, publicUrl, now }: Visit,
  view: SignInView,
  { given, request }: Ticket,
  shown: { readonly link: string; readonly username: string },
): Promise<PageAnswer> {
  const ticket = await dependencies.tickets.seal('authorization', { given, request, madeAt: now } satisfies Ticket)
  const forPrograms = `${passwordSentences.wrong} It has to be changed first, at ${newPasswordAddress(publicUrl)}`
  const data = formatData({ ticket, view, message: forPrograms })
  const message = passwordSentences.toChange
  return { ...formatNewPassword({ contextPath, ticket, message, data, ...shown }), outcome: 400 }
}

async function passwordRefused(
  visit: Visit,
  ticket: Ticket,
  message: string,
  outcome = 400,
  reasons: readonly string[] = [],
): Promise<PageAnswer> {
  const { clientId, redirectUri } = ticket.request
  const { publicUrl } = visit
  const view = await visit.read(readSignIn, { clientId, redirectUri, publicUrl, sessionHash: undefined })
  if (!view) return formatInvalid('client_id', 'No app of this id is registered here.')
  const given = 'value' in visit.input ? visit.input.value['username'] : undefined
  const username = typeof given === 'string' ? given : undefined
  return { ...(await signInPage(visit, view, ticket, { username, message, reasons, showsForm: true })), outcome }
}

async function signInPage(
  visit: Visit,
  view: SignInView,
  { given, request }: Pick<Ticket, 'given' | 'request'>,
  {
    showsForm,
    ...shown
  }: Pick<SignInPage, 'username'> & Partial<Pick<SignInPage, 'message' | 'reasons'>> & { readonly showsForm: boolean },
) {
  const { dependencies, now, contextPath, settings } = visit
  const sealed: Ticket = { given, request, madeAt: now, username: view.username }
  const ticket = await dependencies.tickets.seal('authorization', sealed)
  const provider = settings.identityProvider && (await offer(visit, view, settings.identityProvider))
  return formatSignIn({
    view,
    request,
    ticket,
    contextPath,
    button: provider?.button,
    hidesForm: provider?.hidesPasswordForm === true && !showsForm,
    lostPassword: lostPasswordLink(visit),
    message: undefined,
    reasons: [],
    ...shown,
  })
}

/** The identity provider, if it signs in users of the organization of the app. */
async function offer(
  { read }: Visit,
  { app }: SignInView,
  provider: ProviderSettings,
): Promise<ProviderSettings | undefined> {
  const portalId = await read(beginProviderSignIn, provider.rules)
  return portalId !== undefined && (app.portalId === undefined || app.portalId === portalId) ? provider : undefined
}
