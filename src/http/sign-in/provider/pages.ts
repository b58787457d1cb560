import { formTargetOf } from '../../../oauth/apps/redirect-uri.ts'
import type { GivenAuthorization } from '../../../oauth/sign-in/authorization.ts'
import { html } from '../../pages/html.ts'
import { formatPassword, formatProblem, formatUsername, messagePage, refusedPage } from '../page.ts'
import type { ShownPage, Visit } from '../page-row.ts'
import type { PageTexts } from '../texts.ts'
import { authorizeAgain } from '../ticket.ts'

/** A refusal, with the number by which the cause is found in the log. */
export function refusalPage(visit: Visit, sentence: string, given: GivenAuthorization | undefined): ShownPage {
  const { texts } = visit
  const more = html`<p>${texts.markup('reference', { reference: html`<code>${visit.reference}</code>` })}</p>
${given && html`<p><a href="${authorizeAgain(visit, given)}">${texts.text('signInAgain')}</a></p>`}`
  return { ...messagePage(texts.text('notSucceeded'), sentence, more), outcome: 400 }
}

/** Nothing of this server, or of this browser. */
export function startAgainPage({ texts }: Visit): ShownPage {
  return { ...messagePage(texts.text('startAgain'), texts.text('notBegunHere')), outcome: 400 }
}

export function absentPage({ texts }: Visit): ShownPage {
  return refusedPage(texts, 404, texts.text('noProvider'))
}

export function signedInPage({ contextPath, texts }: Visit, username: string): ShownPage {
  const signOut = `${contextPath}/sharing/rest/oauth2/signout`
  return messagePage(
    texts.text('signedIn'),
    texts.text('signedInAs', { username }),
    html`<p>${texts.text('appsAskOnly')} <a href="${signOut}">${texts.text('signOut')}</a></p>`,
  )
}

/** Asks whose account it is: the password shows it. */
export function linkPage(
  { contextPath, texts }: { readonly contextPath: string; readonly texts: PageTexts },
  display: string,
  given: GivenAuthorization | undefined,
  shown: { readonly username: string | undefined; readonly message: string | undefined },
): ShownPage {
  const target = given?.redirectUri === undefined ? undefined : formTargetOf(given.redirectUri)
  const account = html`<strong>${display}</strong>`
  return {
    title: texts.text('linkAccount'),
    formTarget: target,
    hasPassword: true,
    body: html`<h1>${texts.text('linkAccount')}</h1>
<p>${texts.markup('linkAccountNote', { account })}</p>
${formatProblem(shown.message)}
<form method="post" action="${contextPath}/oidc/link">
${formatUsername(texts, shown.username)}
${formatPassword(texts, 'password', texts.text('password'), html`autocomplete="current-password"${shown.username && html` autofocus`}`)}
<p class="actions"><button type="submit">${texts.text('link')}</button></p>
</form>`,
  }
}
