import { passwordLength } from '../../directory/passwords/password.ts'
import { newPasswordPath } from '../endpoints/new-password-address.ts'
import { type Html, html } from '../pages/html.ts'
import { messagePage } from './page.ts'
import type { ShownPage } from './page-row.ts'

export interface NewPasswordPage {
  readonly contextPath: string
  /** Without it, the page asks for the present password. */
  readonly link: string | undefined
  readonly username: string | undefined
  /** The sealed request of the page of sign-in that led here. */
  readonly ticket: string | undefined
  /** Sentence on the reason of a refusal. */
  readonly message: string | undefined
  /** Values that clients read from the page. */
  readonly data?: Html
}

export function formatNewPassword(content: NewPasswordPage): ShownPage {
  const { contextPath, link, username, ticket, message, data } = content
  return {
    title: 'New password – Cartulary',
    body: html`<h1>Choose a new password</h1>
<p>${passwordLength.min} to ${passwordLength.max} characters, of any kind; no common password, repetition or sequence. You are signed out everywhere.</p>
${message !== undefined && html`<p role="alert" class="problem">${message}</p>`}
<form method="post" action="${contextPath}/sharing/rest${newPasswordPath}">
${link !== undefined && html`<input type="hidden" name="link" value="${link}">`}
${ticket !== undefined && html`<input type="hidden" name="oauth_state" value="${ticket}">`}
${link === undefined ? formatPresent(username) : formatUsername(username)}
<p><label for="newPassword">New password</label>
<input id="newPassword" name="newPassword" type="password" autocomplete="new-password" required minlength="${passwordLength.min}" maxlength="${passwordLength.max}"></p>
<p><label for="repeated">New password again</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" required></p>
<p class="actions"><button type="submit">Set password</button></p>
</form>
${data}`,
  }
}

function formatPresent(username: string | undefined): Html {
  return html`<p><label for="username">Username</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${username ?? ''}"></p>
<p><label for="password">Present password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required></p>`
}

/** For the program that keeps passwords. */
function formatUsername(username: string | undefined): Html {
  return html`<p><label for="username">Username</label>
<input id="username" autocomplete="username" readonly value="${username ?? ''}"></p>`
}

export function passwordChanged(again: string | undefined): ShownPage {
  const more = again === undefined ? undefined : html`<p><a href="${again}">Sign in</a></p>`
  return messagePage('Password changed', 'Your new password counts from now on. Sign in with it.', more)
}
