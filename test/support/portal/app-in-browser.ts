import type { LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import { addApp } from './add-app.ts'
import { authorize, outOfBand, proofKey, sendSignIn } from './oauth.ts'
import { adminPassword, startPortal, type TestPortal } from './portal.ts'

/** An app of the organization, beside a built-in one, and a browser in which the administrator signs in to them. */

export const clientId = 'map-of-the-coast'
export const redirectUri = 'https://app.example.com/callback'
export const admin = { username: 'admin', password: adminPassword }
export const { asked } = proofKey()
export const own = { client_id: clientId, redirect_uri: redirectUri, ...asked }
export const python = { client_id: 'arcgisonline', redirect_uri: outOfBand }
export const browser = { 'sec-fetch-site': 'same-origin', origin: 'https://maps.example.com' }

/** A portal with the app, until the end of the test. */
export async function startPortalWithApp(): Promise<TestPortal> {
  const portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  await addApp(portal, { clientId, redirectUris: [redirectUri] })
  return portal
}

export function cookieOf(answer: LightMyRequestResponse): string {
  return String(answer.headers['set-cookie']).split(';')[0] ?? ''
}

/** The cookie of a browser that has signed in once, to the built-in app. */
export async function openSession(portal: TestPortal): Promise<string> {
  return cookieOf(await sendSignIn(portal, await authorize(portal, python), admin, browser))
}
