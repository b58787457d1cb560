import { type Call, requireCaller } from '../../call/call.ts'
import { appNotAccessible, notSignedIn } from '../../errors.ts'
import type { OAuthReaders } from '../store.ts'
import { findEnabledApp, signsInUsersOf } from './app-access.ts'

/** Always refused: no call of the API is authorized by a cookie, so it knows of no user who is signed in. */
export async function readPlatformSelf(): Promise<never> {
  throw notSignedIn()
}

/** Refused unless the app exists and signs in users of the caller's organization. */
export async function validateAppAccess(
  stores: OAuthReaders,
  call: Call,
  input: { readonly clientId: string | undefined },
): Promise<void> {
  const caller = requireCaller(call)
  const app = input.clientId === undefined ? undefined : await findEnabledApp(stores, input.clientId)
  if (!app || !(await signsInUsersOf(stores, app, caller.portalId))) throw appNotAccessible()
}
