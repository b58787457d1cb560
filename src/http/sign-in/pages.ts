import { formTargetOf, outOfBand } from '../../oauth/apps/redirect-uri.ts'
import type { AuthorizationRequest } from '../../oauth/sign-in/authorization.ts'
import type { SignInView } from '../../oauth/sign-in/sign-in-operations.ts'
import { Html, html } from '../pages/html.ts'
import { messagePage } from './page.ts'
import type { ShownPage } from './page-row.ts'

/** Where the forms of the pages are sent. */
const signInPath = '/sharing/rest/oauth2/signin'

export interface SignInPage {
  readonly view: SignInView
  readonly request: AuthorizationRequest
  /** The sealed request. */
  readonly ticket: string
  readonly username: string | undefined
  /** Sentence on the reason of a refusal. */
  readonly message: string | undefined
  /** Next steps for the person; the Python client shows the message only (observed). */
  readonly reasons: readonly string[]
  readonly contextPath: string
  /** Text of the button of the identity provider; undefined without one. */
  readonly button: string | undefined
  readonly hidesForm: boolean
  /** Leads to a link that is mailed; undefined where no mail is sent. */
  readonly lostPassword: Html | undefined
}

/**
 * The page of sign-in, or where there is a session, of going on. The Python client reads its data block, which is no script
 * to a browser (observed).
 */
export function formatSignIn(content: SignInPage): ShownPage {
  const { view, request, username, message, reasons, contextPath } = content
  const action = `${contextPath}${signInPath}`
  const isContinued = view.username !== undefined && message === undefined
  return {
    title: `Sign in to ${view.app.title}`,
    formTarget: formTargetOf(request.redirectUri),
    body: html`<h1>${isContinued ? 'Go on' : 'Sign in'}</h1>
<p>to <strong><bdi>${view.app.title}</bdi></strong>${formatPublisher(view)}. ${targetSentence(request.redirectUri)}</p>
${view.warnsAdministrators && html`<p class="warning">${warning}</p>`}
${message !== undefined && html`<p role="alert" class="problem">${[message, ...reasons].join(' ')}</p>`}
${isContinued ? formatGoOn(content, action) : formatWays(content, action, username)}
${formatData(content)}`,
  }
}

const warning =
  'Administrators: the app can then do all that you may do in the organization. Go on only if you trust who registered it.'

/** Who may have registered an app is many users: the page says which of them did. */
function formatPublisher({ app, publisher }: SignInView): Html {
  if (publisher === undefined) return html``
  return html` of ${publisher}${app.owner !== undefined && html`, registered by ${app.owner.username}`}`
}

function targetSentence(redirectUri: string): Html {
  if (redirectUri === outOfBand) {
    return html`A code will be shown. Give it only to the program in which you began: it can then act in your name.`
  }
  const target = redirectUri.replace(/^(https?:\/\/[^/?]+).*$/, '$1').replace(/^([a-z][a-z0-9+.-]*:)(?!\/\/).*$/, '$1')
  return html`It can then act in your name. You go on to <bdi class="target">${target}</bdi>`
}

/** Through the identity provider, or by a password. */
function formatWays(content: SignInPage, action: string, username: string | undefined): Html {
  const { button, hidesForm, contextPath, ticket } = content
  const start = `${contextPath}/oidc/start?oauth_state=${ticket}`
  return html`${button !== undefined && html`<p class="actions"><a class="button" href="${start}">${button}</a></p>`}
${hidesForm ? formatCancel(content, action) : formatForm(content, action, username)}`
}

function formatCancel({ ticket }: SignInPage, action: string): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="oauth_state" value="${ticket}">
<p class="actions"><button type="submit" class="quiet" name="decline" value="true">Cancel</button></p>
</form>`
}

function formatForm({ ticket, lostPassword }: SignInPage, action: string, username: string | undefined): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="oauth_state" value="${ticket}">
<p><label for="username">Username</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${username ?? ''}"></p>
<p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required></p>
<p class="actions"><button type="submit">Sign in</button>
<button type="submit" class="quiet" name="decline" value="true" formnovalidate>Cancel</button></p>
</form>
${lostPassword}`
}

function formatGoOn(content: SignInPage, action: string): Html {
  const { ticket, view } = content
  return html`<form method="post" action="${action}">
<input type="hidden" name="oauth_state" value="${ticket}">
<p class="actions"><button type="submit" name="continue" value="true">Continue as ${view.username}</button>
<button type="submit" class="quiet" name="decline" value="true">Cancel</button></p>
</form>
<details><summary>Use another account</summary>
${formatWays(content, action, undefined)}
</details>`
}

/** `var oAuthInfo = {…};` as the Python client searches for it: no brace, quote or bracket of markup stands in a text. */
export function formatData({ ticket, view, message }: Pick<SignInPage, 'ticket' | 'view' | 'message'>): Html {
  const data = {
    oauth_state: ticket,
    client_id: view.app.clientId,
    appTitle: view.app.title,
    messages: message === undefined ? [] : [message],
  }
  const text = JSON.stringify(data).replace(
    /^\{|\}$|[<>&'{}\u2028\u2029]/g,
    (character, position: number, whole: string) =>
      position === 0 || position === whole.length - 1
        ? character
        : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return html`<script type="text/plain">var oAuthInfo = ${new Html(text)};</script>`
}

/** The code for a program that cannot be sent one; the Python client reads the title (observed). */
export function formatApproval(code: string, view: SignInView): ShownPage {
  return {
    title: `SUCCESS code=${code}`,
    body: html`<h1>Signed in</h1>
<p>Copy this code to <strong><bdi>${view.app.title}</bdi></strong>. It is valid for ten minutes, and once.</p>
<input type="hidden" id="code" value="${code}">
<p><label for="shown-code">Code</label> <textarea id="shown-code" readonly rows="2" spellcheck="false">${code}</textarea></p>
<p class="warning">If you did not begin in that program, close this page: the code lets its holder act in your name.</p>`,
  }
}

/** `Error: Invalid client_id` is the text that the Python client looks for (observed). */
export function formatInvalid(what: 'client_id' | 'redirect_uri', sentence: string): ShownPage {
  const page = messagePage(`Error: Invalid ${what}`, sentence, html`<p>Error: 400</p>`)
  return { ...page, outcome: 400 }
}
