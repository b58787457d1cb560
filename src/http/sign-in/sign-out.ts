import { isRegistered } from '../../oauth/redirect-uri.ts'
import { readSignIn } from '../../oauth/sign-in-operations.ts'
import { optionalText } from '../endpoints/parameter-types.ts'
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
    },
    summary: 'Ends the session of the browser, after a question; leads back to the app.',
    source: 'observed',
    chosen: ['Without a session it leads back at once.', 'Tokens of apps stay valid: apps revoke their own.'],
    async answer(visit) {
      const back = await findWayBack(visit)
      if (visit.sessionHash === undefined) return goBack(back)
      if (visit.method === 'GET') return question(visit, back)
      if (visit.findCrossSiteOrigin() !== undefined) return question(visit, back)
      await visit.run('signOut', { sessionHash: visit.sessionHash })
      return { ...goBack(back), session: null }
    },
  }),
]

/** The address, if it is the app's. */
async function findWayBack({ input, read }: Visit): Promise<string | undefined> {
  const { client_id: clientId, redirect_uri: redirectUri } = 'value' in input ? input.value : {}
  if (typeof clientId !== 'string' || typeof redirectUri !== 'string') return undefined
  const view = await read(readSignIn, { clientId, redirectUri: undefined, sessionHash: undefined })
  return view && isRegistered(redirectUri, view.app) && /^https?:/.test(redirectUri) ? redirectUri : undefined
}

function goBack(back: string | undefined): PageAnswer {
  return back === undefined ? messagePage('Signed out', 'You are signed out in this browser.') : { redirect: back }
}

function question({ contextPath, input }: Visit, back: string | undefined): PageAnswer {
  const clientId = 'value' in input && back !== undefined ? input.value['client_id'] : undefined
  return {
    ...messagePage('Sign out?', 'This ends your session in this browser.'),
    formTarget: back === undefined ? undefined : new URL(back).origin,
    body: html`<h1>Sign out?</h1>
<form method="post" action="${contextPath}/sharing/rest/oauth2/signout">
${back !== undefined && html`<input type="hidden" name="client_id" value="${String(clientId)}"><input type="hidden" name="redirect_uri" value="${back}">`}
<p>This ends your session in this browser. Apps that you have signed in to go on until they sign out themselves.</p>
<p class="actions"><button type="submit">Sign out</button></p>
</form>`,
  }
}
