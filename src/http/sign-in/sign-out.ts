import { ProviderFailure } from '../../identities/provider.ts'
import { isRegistered } from '../../oauth/apps/redirect-uri.ts'
import { readSignIn } from '../../oauth/sign-in/sign-in-operations.ts'
import { optionalChoice, optionalText } from '../endpoints/parameter-types.ts'
import { html } from '../pages/html.ts'
import { messagePage } from './page.ts'
import { type PageAnswer, type PageRow, pageRow, type Visit } from './page-row.ts'

/** Sign-out of the browser session. */
export const signOutRows: readonly PageRow[] = [
  pageRow({
    id: 'signOut',
    title: 'Sign out',
    task: 'sign out',
    path: '/oauth2/signout',
    methods: ['GET', 'POST'],
    effect: 'change',
    parameters: {
      client_id: optionalText('Client id of the app to go back to.'),
      redirect_uri: optionalText('A registered address of it.'),
      provider: optionalChoice('Signs out at the identity provider too.', ['true']),
      confirmed: optionalChoice('The app has asked: only a sign-out at the identity provider is still a question.', [
        'true',
      ]),
    },
    summary: 'Ends the session of the browser, after a question; leads back to the app.',
    source: 'observed',
    chosen: ['Without a session it redirects immediately.', 'Tokens of apps stay valid: apps revoke their own.'],
    async answer(visit) {
      const back = await findWayBack(visit)
      const isPosted = visit.method === 'POST'
      const isCrossSite = isPosted && visit.findCrossSiteOrigin() !== undefined
      // A form of another site brings no cookie, whether there is a session or not.
      if (visit.sessionHash === undefined && !isCrossSite) return goBack(back, notSignedIn(visit))
      if (!isPosted || isCrossSite || visit.sessionHash === undefined)
        return question(visit, back, await findSignOutThere(visit, undefined))
      const isConfirmed = 'value' in visit.input && visit.input.value.confirmed
      const offered = isConfirmed ? await findSignOutThere(visit, undefined) : undefined
      if (offered) return question(visit, back, offered)
      const { hasEnded, sealedIdToken } = await visit.run('signOut', { sessionHash: visit.sessionHash })
      const there =
        'value' in visit.input && visit.input.value.provider && (await findSignOutThere(visit, sealedIdToken))
      return {
        ...(there ? { redirect: there } : goBack(back, hasEnded ? signedOut(visit) : notSignedIn(visit))),
        session: null,
      }
    },
  }),
]

/** Logout address of the provider, if configured; its answer is not awaited. */
async function findSignOutThere(
  { dependencies, settings, publicUrl, warn }: Visit,
  sealedIdToken: string | undefined,
): Promise<string | undefined> {
  const { identityProvider, tickets } = dependencies
  if (!identityProvider || !settings.identityProvider?.endsItsSession) return undefined
  const idToken = sealedIdToken === undefined ? undefined : await tickets.open('id token', sealedIdToken)
  const back = `${publicUrl}/sharing/rest/oauth2/signout`
  try {
    return await identityProvider.findSignOut(typeof idToken === 'string' ? idToken : undefined, back)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    warn(error.message)
    return undefined
  }
}

/** The address, if it is the app's. */
async function findWayBack({ input, publicUrl, read }: Visit): Promise<string | undefined> {
  const { client_id: clientId, redirect_uri: redirectUri } = 'value' in input ? input.value : {}
  if (typeof clientId !== 'string' || typeof redirectUri !== 'string') return undefined
  const view = await read(readSignIn, { clientId, publicUrl, redirectUri: undefined, sessionHash: undefined })
  return view && isRegistered(redirectUri, view.app) && /^https?:/.test(redirectUri) ? redirectUri : undefined
}

function signedOut({ texts }: Visit): PageAnswer {
  return messagePage(texts.text('signedOut'), texts.text('signedOutText'))
}

function notSignedIn({ texts }: Visit): PageAnswer {
  return messagePage(texts.text('notSignedIn'), texts.text('notSignedInText'))
}

function goBack(back: string | undefined, otherwise: PageAnswer): PageAnswer {
  return back === undefined ? otherwise : { redirect: back }
}

function question(
  { contextPath, input, texts }: Visit,
  back: string | undefined,
  there: string | undefined,
): PageAnswer {
  const clientId = 'value' in input && back !== undefined ? input.value['client_id'] : undefined
  const targets = [back, there].flatMap((address) => (address === undefined ? [] : [new URL(address).origin]))
  const heading = texts.text('signOutAsked')
  return {
    title: `${heading} – Cartulary`,
    formTarget: targets.length === 0 ? undefined : targets.join(' '),
    body: html`<h1>${heading}</h1>
<form method="post" action="${contextPath}/sharing/rest/oauth2/signout">
${back !== undefined && html`<input type="hidden" name="client_id" value="${String(clientId)}"><input type="hidden" name="redirect_uri" value="${back}">`}
<p>${texts.text('signOutNote')}</p>
<p class="actions"><button type="submit">${texts.text('signOut')}</button>
${there !== undefined && html`<button type="submit" class="quiet" name="provider" value="true">${texts.text('signOutThere')}</button>`}</p>
</form>`,
  }
}
