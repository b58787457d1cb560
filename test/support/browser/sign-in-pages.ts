import { addApp } from '../portal/add-app.ts'
import { authorize, outOfBand, proofKey, sendSignIn } from '../portal/oauth.ts'
import { adminPassword, formEncode } from '../portal/portal.ts'
import type { Visit } from './browser.ts'
import { fillInSignIn } from './web-app.ts'

const { asked } = proofKey()
export const coast = { client_id: 'map-of-the-coast', redirect_uri: 'https://app.example.com/signed-in' }
const python = { client_id: 'arcgisonline', redirect_uri: outOfBand }

export async function goToSignIn(visit: Visit, parameters: Readonly<Record<string, string>> = coast): Promise<void> {
  await visit.goTo(`/oauth2/authorize?${formEncode({ response_type: 'code', ...asked, ...parameters })}`)
}

/** Registers the app of these pages. */
export async function openSignInPages({ portal }: Visit): Promise<void> {
  await addApp(portal, { clientId: coast.client_id, title: 'Map of the coast', redirectUris: [coast.redirect_uri] })
}

/** Every page of sign-in by a name, with its heading, in an order in which a user comes to them. */
export const signInPages: readonly (readonly [string, string, (visit: Visit) => Promise<unknown>])[] = [
  ['sign-in', 'Sign in', (visit) => goToSignIn(visit)],
  [
    'wrong-password',
    'Sign in',
    async (visit) => {
      await goToSignIn(visit)
      await fillInSignIn(visit.page, 'admin', 'not the password')
      await visit.page.getByRole('alert').waitFor()
    },
  ],
  ['sign-in-for-a-code', 'Sign in', (visit) => goToSignIn(visit, python)],
  ['unknown-app', 'You cannot sign in from here', (visit) => goToSignIn(visit, { ...coast, client_id: 'unknown' })],
  [
    'unknown-address',
    'You cannot sign in from here',
    (visit) => goToSignIn(visit, { ...coast, redirect_uri: 'https://evil.example/' }),
  ],
  ['implicit-flow', 'You cannot sign in from here', (visit) => goToSignIn(visit, { ...coast, response_type: 'token' })],
  [
    'open-for-too-long',
    'Start again',
    async (visit) => {
      await goToSignIn(visit)
      visit.portal.clock.now += 31 * 60_000
      await fillInSignIn(visit.page, 'admin', adminPassword)
      await visit.page.getByRole('heading', { name: 'Start again' }).waitFor()
    },
  ],
  [
    'code',
    'Signed in',
    async (visit) => {
      await goToSignIn(visit, python)
      await fillInSignIn(visit.page, 'admin', adminPassword)
      await visit.page.getByRole('heading', { name: 'Signed in' }).waitFor()
    },
  ],
  [
    'go-on',
    'Go on',
    async (visit) => {
      await goToSignIn(visit)
      await visit.page.getByText('Use another account').click()
    },
  ],
  ['sign-out', 'Sign out?', (visit) => visit.goTo('/oauth2/signout')],
  [
    'signed-out',
    'Signed out',
    async (visit) => {
      await visit.goTo('/oauth2/signout')
      await visit.page.getByRole('button', { name: 'Sign out' }).click()
      await visit.page.getByRole('heading', { name: 'Signed out' }).waitFor()
    },
  ],
  [
    'too-many-failures',
    'Sign in',
    async (visit) => {
      const wrong = { username: 'admin', password: 'not the password' }
      for (let times = 0; times < 11; times += 1) {
        await sendSignIn(visit.portal, await authorize(visit.portal, { ...coast, ...asked }), wrong)
      }
      await goToSignIn(visit)
      await fillInSignIn(visit.page, wrong.username, wrong.password)
      await visit.page.getByRole('alert').getByText('Too many').waitFor()
    },
  ],
]
