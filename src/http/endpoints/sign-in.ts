import { usernameKey } from '../../directory/user.ts'
import { addressKey } from '../../tokens/address.ts'
import type { SignIn } from '../../tokens/sign-in.ts'
import type { ApiRequest } from './endpoint.ts'

type Source = Pick<ApiRequest, 'address' | 'findCrossSiteOrigin' | 'dependencies' | 'settings'>

/** A sign-in to an account, with all that its failure is counted by. */
export function signInTo(username: string, { address, findCrossSiteOrigin, dependencies, settings }: Source): SignIn {
  return {
    username,
    accountKey: dependencies.digest(usernameKey(username)),
    address: addressKey(address),
    crossSiteOrigin: findCrossSiteOrigin(),
    limit: settings.signInLimit,
  }
}

export const newPasswordPath = '/oauth2/newPassword'

export const lostPasswordPath = '/oauth2/lostPassword'

/** Address of the page where users request a link to choose a new password. */
export function lostPasswordAddress(publicUrl: string): string {
  return `${publicUrl}/sharing/rest${lostPasswordPath}`
}

/** Address of the page where users choose a new password. */
export function newPasswordAddress(publicUrl: string, link?: string): string {
  const address = `${publicUrl}/sharing/rest${newPasswordPath}`
  return link === undefined ? address : `${address}?link=${link}`
}
