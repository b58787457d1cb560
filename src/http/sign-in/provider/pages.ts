import { formTargetOf } from '../../../oauth/apps/redirect-uri.ts'
import type { GivenAuthorization } from '../../../oauth/sign-in/authorization.ts'
import { type Html, html } from '../../pages/html.ts'
import { messagePage } from '../page.ts'
import type { ShownPage, Visit } from '../page-row.ts'
import { authorizeAgain } from '../ticket.ts'

/** A refusal, with the number by which the cause is found in the log. */
export function refusalPage(visit: Visit, sentence: string, given: GivenAuthorization | undefined): ShownPage {
  const more = html`<p>Reference for your administrator: <code>${visit.reference}</code></p>
${given && html`<p><a href="${authorizeAgain(visit, given)}">Sign in again</a></p>`}`
  return { ...messagePage('Sign-in did not succeed', sentence, more), outcome: 400 }
}

/** Nothing of this server, or of this browser. */
export function startAgainPage(): ShownPage {
  const sentence =
    'This sign-in was not begun in this browser, or too long ago. Go back to the app, and sign in there again.'
  return { ...messagePage('Start again', sentence), outcome: 400 }
}

export function absentPage(): ShownPage {
  const sentence = 'Sign-in through an identity provider is not set up on this server.'
  return { ...messagePage('Error: 404', sentence), outcome: 404 }
}

export function signedInPage({ contextPath }: Visit, username: string): ShownPage {
  const signOut = `${contextPath}/sharing/rest/oauth2/signout`
  return messagePage(
    'Signed in',
    `You are signed in in this browser as ${username}.`,
    html`<p>Apps that you open now ask only whether you go on. <a href="${signOut}">Sign out</a></p>`,
  )
}

/** Asks whose account it is: the password shows it. */
export function linkPage(
  { contextPath }: Visit,
  display: string,
  given: GivenAuthorization | undefined,
  shown: { readonly username: string | undefined; readonly message: string | undefined },
): ShownPage {
  const target = given?.redirectUri === undefined ? undefined : formTargetOf(given.redirectUri)
  return {
    title: 'Link your account',
    formTarget: target,
    body: html`<h1>Link your account</h1>
<p>No user here is linked to <strong>${display}</strong> yet. If you have a username and a password here, enter them once: from
then on you sign in through the identity provider. If you have none, ask your administrator.</p>
${problemOf(shown.message)}
<form method="post" action="${contextPath}/oidc/link">
<p><label for="username">Username</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${shown.username ?? ''}"></p>
<p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required></p>
<p class="actions"><button type="submit">Link</button></p>
</form>`,
  }
}

function problemOf(message: string | undefined): Html | undefined {
  return message === undefined ? undefined : html`<p role="alert" class="problem">${message}</p>`
}
