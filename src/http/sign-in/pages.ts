import { formTargetOf, outOfBand } from '../../oauth/apps/redirect-uri.ts'
import type { AuthorizationRequest } from '../../oauth/sign-in/authorization.ts'
import type { SignInView } from '../../oauth/sign-in/sign-in-operations.ts'
import { Html, html } from '../pages/html.ts'
import {
  formatPassword,
  formatProblem,
  formatReference,
  formatUsername,
  messagePage,
  type PageProblem,
} from './page.ts'
import type { AskedAgain, ShownPage } from './page-row.ts'
import type { PageTexts, TextKey } from './texts.ts'

/** Addresses of the forms. */
const signInPath = '/sharing/rest/oauth2/signin'

export interface SignInPage {
  readonly texts: PageTexts
  readonly view: SignInView
  readonly request: AuthorizationRequest
  /** The sealed request. */
  readonly ticket: string
  readonly username: string | undefined
  /** Why a sign-in was refused. */
  readonly message: PageProblem | undefined
  readonly contextPath: string
  /** How the page is asked for again; undefined for that of the request itself. */
  readonly again: AskedAgain | undefined
  /** Text of the button of the identity provider; undefined without one. */
  readonly button: string | undefined
  readonly hidesForm: boolean
  /** Says how to get another password. */
  readonly lostPassword: Html
}

/**
 * The page of sign-in, or where there is a session, of going on. The Python client reads its data block, which is no script
 * to a browser (observed).
 */
export function formatSignIn(content: SignInPage): ShownPage {
  const { texts, view, request, username, message, contextPath, again } = content
  const action = `${contextPath}${signInPath}`
  const isContinued = view.username !== undefined && message === undefined
  const name = view.organization ?? view.app.title
  const heading = texts.markup(isContinued ? 'goOnTo' : 'signInTo', { name: html`<strong><bdi>${name}</bdi></strong>` })
  return {
    title: texts.text('signInTo', { name }),
    formTarget: formTargetOf(request.redirectUri),
    hasPassword: true,
    ...(again && { again }),
    body: html`<h1>${heading}</h1>
${view.organization === undefined && formatApp(content)}
${view.warnsAdministrators && html`<p class="warning">${texts.text('warnsAdministrators')}</p>`}
${formatProblem(message?.shown)}
${isContinued ? formatGoOn(content, action) : formatWays(content, action, username)}
${formatData({ ...content, message: message?.forPrograms })}`,
  }
}

/** Warning of any app but that of the server: many users may register one, and the page says which of them did. */
function formatApp({ texts, view: { app, publisher }, request }: SignInPage): Html {
  const owner = app.owner?.username
  const organization = publisher ?? ''
  const origin =
    owner === undefined
      ? texts.markup('publisher', { organization })
      : texts.markup('publisherAndOwner', { organization, owner })
  return html`<p>${publisher !== undefined && html`${origin} `}${formatTarget(texts, request.redirectUri)}</p>`
}

function formatTarget(texts: PageTexts, redirectUri: string): Html {
  if (redirectUri === outOfBand) return texts.markup('codeFollows', {})
  const target = redirectUri.replace(/^(https?:\/\/[^/?]+).*$/, '$1').replace(/^([a-z][a-z0-9+.-]*:)(?!\/\/).*$/, '$1')
  return texts.markup('actsForYou', { address: html`<bdi class="target">${target}</bdi>` })
}

/** Through the identity provider, or by a password. */
function formatWays(content: SignInPage, action: string, username: string | undefined): Html {
  const { button, hidesForm, contextPath, ticket } = content
  const start = `${contextPath}/oidc/start?oauth_state=${ticket}`
  return html`${button !== undefined && html`<p class="actions"><a class="button" href="${start}">${button}</a></p>`}
${hidesForm ? formatCancel(content, action) : formatForm(content, action, username)}`
}

function formatCancel({ texts, ticket }: SignInPage, action: string): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="oauth_state" value="${ticket}">
<p class="actions"><button type="submit" class="quiet" name="decline" value="true">${texts.text('cancel')}</button></p>
</form>`
}

function formatForm({ texts, ticket, lostPassword }: SignInPage, action: string, username: string | undefined): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="oauth_state" value="${ticket}">
${formatUsername(texts, username)}
${formatPassword(texts, 'password', texts.text('password'), html`autocomplete="current-password"${username && html` autofocus`}`)}
<p class="actions"><button type="submit">${texts.text('signIn')}</button>
<button type="submit" class="quiet" name="decline" value="true" formnovalidate>${texts.text('cancel')}</button></p>
</form>
${lostPassword}`
}

function formatGoOn(content: SignInPage, action: string): Html {
  const { texts, ticket, view } = content
  return html`<form method="post" action="${action}">
<input type="hidden" name="oauth_state" value="${ticket}">
<p class="actions"><button type="submit" name="continue" value="true">${texts.text('continueAs', { username: view.username ?? '' })}</button>
<button type="submit" class="quiet" name="decline" value="true">${texts.text('cancel')}</button></p>
</form>
<details><summary>${texts.text('otherAccount')}</summary>
${formatWays(content, action, undefined)}
</details>`
}

/** `var oAuthInfo = {…};` as the Python client searches for it: no brace, quote or bracket of markup stands in a text. */
export function formatData({
  ticket,
  view,
  message,
}: Pick<SignInPage, 'ticket' | 'view'> & { readonly message: string | undefined }): Html {
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
export function formatApproval(texts: PageTexts, code: string, view: SignInView): ShownPage {
  const app = html`<strong><bdi>${view.app.title}</bdi></strong>`
  return {
    title: `SUCCESS code=${code}`,
    body: html`<h1>${texts.text('signedIn')}</h1>
<p>${texts.markup('copyCode', { app })}</p>
<input type="hidden" id="code" value="${code}">
<p><label for="shown-code">${texts.text('code')}</label> <textarea id="shown-code" readonly rows="2" spellcheck="false" dir="ltr">${code}</textarea></p>
<p class="warning">${texts.text('codeWarning')}</p>`,
  }
}

/** `Error: Invalid client_id` is the text that the Python client looks for (observed). */
export function formatInvalid(texts: PageTexts, what: 'client_id' | 'redirect_uri', sentence: string): ShownPage {
  const key = what === 'client_id' ? 'unknownApp' : 'unknownAddress'
  return formatNotPossible(texts, key, `Error: Invalid ${what}. ${sentence}`)
}

/** A request of an app that no sign-in answers: the error is for those who made the app. */
export function formatNotPossible(texts: PageTexts, key: TextKey, error: string): ShownPage {
  const reference = formatReference(`${error} (400)`)
  return { ...messagePage(texts.text('notPossible'), texts.text(key), reference), outcome: 400 }
}
