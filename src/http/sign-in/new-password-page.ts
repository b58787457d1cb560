import { passwordLength } from '../../directory/passwords/password.ts'
import { formTargetOf } from '../../oauth/apps/redirect-uri.ts'
import { newPasswordPath } from '../endpoints/sign-in.ts'
import { type Html, html } from '../pages/html.ts'
import { formatPassword, formatProblem, formatUsername, messagePage } from './page.ts'
import type { ShownPage } from './page-row.ts'
import type { PageTexts } from './texts.ts'

export interface NewPasswordPage {
  readonly texts: PageTexts
  readonly contextPath: string
  /** The page asks for the present password without it. */
  readonly link: string | undefined
  readonly username: string | undefined
  /** The sealed request of the page of sign-in that led here. */
  readonly ticket: string | undefined
  /** Whether the sign-in that led here waits for the new password. */
  readonly isFirst: boolean
  /** Address of an app at which the form ends then; undefined where it ends here. */
  readonly continuesAt?: string | undefined
  /** Sentence on the reason of a refusal. */
  readonly message: string | undefined
  /** Values that clients read from the page. */
  readonly data?: Html
}

export function formatNewPassword(content: NewPasswordPage): ShownPage {
  const { texts, contextPath, link, username, ticket, isFirst, continuesAt, message, data } = content
  const action = `${contextPath}/sharing/rest${newPasswordPath}`
  const isNew = html`autocomplete="new-password"`
  const length = html`minlength="${passwordLength.min}" maxlength="${passwordLength.max}"`
  const hidden = Object.entries({ link, oauth_state: ticket }).flatMap(
    ([name, value]): (readonly [string, string])[] => (value === undefined ? [] : [[name, value]]),
  )
  return {
    title: `${texts.text('newPassword')} – Cartulary`,
    hasPassword: true,
    formTarget: continuesAt === undefined ? undefined : formTargetOf(continuesAt),
    again: {
      method: 'post',
      action,
      fields: link === undefined && username !== undefined ? [...hidden, ['username', username]] : hidden,
    },
    body: html`<h1>${texts.text('chooseNew')}</h1>
${isFirst && html`<p>${texts.text('chooseFirst')}</p>`}
<p>${texts.text(isFirst ? 'firstPasswordNote' : 'newPasswordNote', passwordLength)}</p>
${formatProblem(message)}
<form method="post" action="${action}">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${link === undefined ? formatPresent(texts, username) : formatHolder(texts, username)}
${formatPassword(texts, 'newPassword', texts.text('newPassword'), html`${isNew} ${length}${link !== undefined && html` autofocus`}`)}
${formatPassword(texts, 'repeated', texts.text('newPasswordAgain'), isNew)}
<p class="actions"><button type="submit">${texts.text('setPassword')}</button></p>
</form>
${data}`,
  }
}

function formatPresent(texts: PageTexts, username: string | undefined): Html {
  return html`${formatUsername(texts, username)}
${formatPassword(texts, 'password', texts.text('presentPassword'), html`autocomplete="current-password"${username && html` autofocus`}`)}`
}

/** For the program that keeps passwords. */
function formatHolder(texts: PageTexts, username: string | undefined): Html {
  return html`<p><label for="username">${texts.text('username')}</label>
<input id="username" autocomplete="username" readonly value="${username ?? ''}"></p>`
}

/** `next`: where the person signs in by the new password. */
export function passwordChanged(texts: PageTexts, next: string): ShownPage {
  const more = html`<p><a href="${next}">${texts.text('signIn')}</a></p>`
  return messagePage(texts.text('passwordChanged'), texts.text('passwordChangedText'), more)
}
