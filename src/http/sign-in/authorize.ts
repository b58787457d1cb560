import { usernameKey } from '../../directory/user.ts'
import type { ProviderSettings } from '../../identities/rules.ts'
import { beginProviderSignIn } from '../../identities/sign-in-operations.ts'
import { isRegistered, outOfBand, withAnswer } from '../../oauth/apps/redirect-uri.ts'
import { requestMilliseconds } from '../../oauth/lifetimes.ts'
import {
  type AuthorizationRequest,
  type GivenAuthorization,
  judgeAuthorization,
  maxStateLength,
} from '../../oauth/sign-in/authorization.ts'
import { readSignIn, type SignInView } from '../../oauth/sign-in/sign-in-operations.ts'
import {
  optionalBoolean,
  optionalChoice,
  optionalInteger,
  optionalText,
  type Parameter,
  Wrong,
} from '../endpoints/parameter-types.ts'
import { newPasswordAddress } from '../endpoints/sign-in.ts'
import { withoutEffect } from '../endpoints/unused-parameters.ts'
import { html } from '../pages/html.ts'
import { newGrant, sendCode, signInByPassword } from './code-of-password.ts'
import { formatLostPassword } from './lost-password.ts'
import { formatNewPassword } from './new-password-page.ts'
import { messagePage, type PageProblem, tooManyAttempts, wrongPassword } from './page.ts'
import { type AskedAgain, type PageAnswer, type PageRow, pageRow, type Visit } from './page-row.ts'
import { formatData, formatInvalid, formatNotPossible, formatSignIn, type SignInPage } from './pages.ts'
import { english } from './texts.ts'
import { authorizeAgain, openTicket, type Ticket } from './ticket.ts'

/** The Python client shows only what has these words in it (observed). */
const codeRefused =
  'This server gives no codes to copy for a password; sign in by an app that has an address. (Programs: invalid username or password.)'

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
      locale: {
        ...optionalText('Language of the page, such as `de`, unless one was chosen on it.'),
        read: () => undefined,
        readMalformed: () => undefined,
      },
      ...withoutEffect('style', 'display', 'allow_verification', 'redirectToUserOrgUrl'),
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
      if (client_id === undefined) return formatInvalid(visit.texts, 'client_id', 'client_id: give a value.')
      const asked = {
        clientId: client_id,
        redirectUri: redirect_uri,
        publicUrl: visit.publicUrl,
        sessionHash: force_login ? undefined : sessionHash,
      }
      const view = await read(readSignIn, asked)
      if (!view) return formatInvalid(visit.texts, 'client_id', 'No app of this id is registered here.')
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
      if ('page' in judged) return refuseApp(visit, judged.page)
      if ('error' in judged) return sendRefusal(visit, redirect_uri!, judged.error, judged.description, others.state)
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
      if (findCrossSiteOrigin() !== undefined) return invalidPage(visit)
      const ticket = await openTicket(visit)
      if (!ticket) return invalidPage(visit)
      const { given, request } = ticket
      if (ticket.madeAt + requestMilliseconds <= visit.now) return expiredPage(visit, given)
      if ('problems' in input) return passwordRefused(visit, ticket, wrongPassword(visit.texts))
      const { username, password, continue: isContinued, decline } = input.value
      if (decline) return declined(visit, request)
      const { publicUrl, sessionHash } = visit
      const { clientId, redirectUri } = request
      const view = await visit.read(readSignIn, { clientId, redirectUri, publicUrl, sessionHash })
      if (!view) return formatInvalid(visit.texts, 'client_id', 'No app of this id is registered here.')
      if (isContinued) {
        // The browser may have the session of another user by then, whom the page did not name.
        const isOther = view.username !== undefined && view.username !== ticket.username
        if (isOther) return signInPage(visit, view, ticket, { username: undefined, showsForm: false })
        return continueInSession(visit, view, request)
      }
      if (!username || !password) return passwordRefused(visit, ticket, wrongPassword(visit.texts))
      if (redirectUri === outOfBand && !visit.settings.takesPasswordsOfPrograms) {
        return passwordRefused(visit, ticket, { shown: visit.texts.text('codeRefused'), forPrograms: codeRefused })
      }
      return answerPassword(visit, view, ticket, username, password)
    },
    async answerRefusal(visit, failure) {
      const ticket = failure.code === 429 ? await openTicket(visit) : undefined
      return ticket && passwordRefused(visit, ticket, tooManyAttempts(visit.texts, failure), 429)
    },
  }),
]

async function answerPassword(
  visit: Visit,
  view: SignInView,
  ticket: Ticket,
  username: string,
  password: string,
): Promise<PageAnswer> {
  const signedIn = await signInByPassword(visit, view, ticket.request, username, password)
  if (signedIn.outcome === 'signed in') return signedIn.answer
  if (signedIn.outcome === 'app') return appGone(visit)
  if (signedIn.outcome === 'temporary password') return passwordExpired(visit, view, ticket, signedIn.link, username)
  return passwordRefused(visit, ticket, wrongPassword(visit.texts))
}

async function continueInSession(visit: Visit, view: SignInView, request: AuthorizationRequest): Promise<PageAnswer> {
  const { code, ...grant } = newGrant(visit, request)
  if (visit.sessionHash === undefined) return invalidPage(visit)
  const { outcome } = await visit.run('continueToApp', { ...grant, sessionHash: visit.sessionHash })
  if (outcome === 'app') return appGone(visit)
  if (outcome !== 'signed in') return { ...invalidPage(visit), session: null }
  if (view.username !== undefined) visit.noteSignIn(view.username)
  return sendCode(visit, code, view, request)
}

function sendRefusal(
  { texts }: Visit,
  redirectUri: string,
  error: string,
  description: string,
  given: string | undefined,
): PageAnswer {
  // Sent back, a longer one would be an address that no program reads.
  const state = (given?.length ?? 0) > maxStateLength ? undefined : given
  if (redirectUri === outOfBand) return formatNotPossible(texts, 'wrongRequest', `Error: ${error}. ${description}`)
  return { redirect: withAnswer(redirectUri, { error, error_description: description, state }) }
}

/**
 * Sends errors other than those of the client and the address back to the app (RFC 6749 §4.1.2.1), unless a parameter is given
 * twice (chosen).
 */
async function refuseValues(visit: Visit, description: string): Promise<PageAnswer> {
  const { requestParameters: given, publicUrl, read } = visit
  const texts = ['client_id', 'redirect_uri', 'state'].map((name) => {
    const value = given.find(name)
    return value && 'text' in value ? value.text : undefined
  })
  const [clientId, redirectUri, state] = texts
  const isClear = given.names().every((name) => !('texts' in (given.find(name) ?? {})))
  const asked = { publicUrl, redirectUri, sessionHash: undefined }
  const view = clientId === undefined || !isClear ? undefined : await read(readSignIn, { ...asked, clientId })
  if (!view || redirectUri === undefined || !isRegistered(redirectUri, view.app)) {
    return formatNotPossible(visit.texts, 'wrongRequest', `Error: ${description}`)
  }
  return sendRefusal(visit, redirectUri, 'invalid_request', description, state)
}

function declined(visit: Visit, { redirectUri, state }: AuthorizationRequest): PageAnswer {
  return sendRefusal(visit, redirectUri, 'access_denied', 'The user did not sign in.', state)
}

function refuseApp({ texts }: Visit, reason: 'redirectUri' | 'implicit'): PageAnswer {
  if (reason === 'redirectUri') {
    return formatInvalid(texts, 'redirect_uri', 'This address is not registered for the app.')
  }
  const sentence = 'response_type=token is not supported: the app has to ask for a code.'
  return formatNotPossible(texts, 'wrongRequest', `Error: unsupported_response_type. ${sentence}`)
}

/** Between the page and its form. */
function appGone({ texts }: Visit): PageAnswer {
  return formatInvalid(texts, 'client_id', 'The app is not registered any more, or not with this address.')
}

function invalidPage({ texts }: Visit): PageAnswer {
  return { ...messagePage(texts.text('startAgain'), texts.text('beginAgain')), outcome: 400 }
}

/** Page with a link that begins the same sign-in again. */
function expiredPage(visit: Visit, given: GivenAuthorization): PageAnswer {
  const { texts } = visit
  const more = html`<p><a href="${authorizeAgain(visit, given)}">${texts.text('signIn')}</a></p>`
  return { ...messagePage(texts.text('startAgain'), texts.text('openTooLong'), more), outcome: 400 }
}

/**
 * Leads on to choosing a new password. The Python client, which cannot, shows a message that has these words in front
 * (observed).
 */
async function passwordExpired(
  { dependencies, contextPath, publicUrl, now, texts }: Visit,
  view: SignInView,
  { given, request }: Ticket,
  link: string,
  username: string,
): Promise<PageAnswer> {
  const sealed: Ticket = { given, request, madeAt: now, newPasswordOf: usernameKey(username) }
  const ticket = await dependencies.tickets.seal('authorization', sealed)
  const wrong = english.text('wrongPassword')
  const data = formatData({
    ticket,
    view,
    message: `${wrong} It has to be changed first, at ${newPasswordAddress(publicUrl)}`,
  })
  const continuesAt = request.redirectUri
  const shown = { texts, contextPath, ticket, data, link, username, isFirst: true, continuesAt, message: undefined }
  return { ...formatNewPassword(shown), outcome: 400 }
}

async function passwordRefused(visit: Visit, ticket: Ticket, message: PageProblem, outcome = 400): Promise<PageAnswer> {
  const { clientId, redirectUri } = ticket.request
  const { publicUrl } = visit
  const view = await visit.read(readSignIn, { clientId, redirectUri, publicUrl, sessionHash: undefined })
  if (!view) return formatInvalid(visit.texts, 'client_id', 'No app of this id is registered here.')
  const given = 'value' in visit.input ? visit.input.value['username'] : undefined
  const username = typeof given === 'string' ? given : undefined
  const again = askedAgain(visit, ticket.given, username)
  return { ...(await signInPage(visit, view, ticket, { username, message, again, showsForm: true })), outcome }
}

/** The page of sign-in before the refusal, in another language: it asks for a password although there may be a session. */
function askedAgain(visit: Visit, given: GivenAuthorization, username: string | undefined): AskedAgain {
  const [action = '', query] = authorizeAgain(visit, given).split('?', 2)
  const more = { force_login: 'true', password_form: 'true', prepopulatedusername: username ?? '' }
  return { method: 'get', action, fields: [...new URLSearchParams(query), ...Object.entries(more)] }
}

async function signInPage(
  visit: Visit,
  view: SignInView,
  { given, request }: Pick<Ticket, 'given' | 'request'>,
  {
    showsForm,
    ...shown
  }: Pick<SignInPage, 'username'> & Partial<Pick<SignInPage, 'message' | 'again'>> & { readonly showsForm: boolean },
) {
  const { dependencies, now, contextPath, settings, texts } = visit
  const sealed: Ticket = { given, request, madeAt: now, username: view.username }
  const ticket = await dependencies.tickets.seal('authorization', sealed)
  const provider = settings.identityProvider && (await offer(visit, view, settings.identityProvider))
  return formatSignIn({
    texts,
    view,
    request,
    ticket,
    contextPath,
    button: provider?.button,
    hidesForm: provider?.hidesPasswordForm === true && !showsForm,
    lostPassword: formatLostPassword(visit),
    message: undefined,
    again: undefined,
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
