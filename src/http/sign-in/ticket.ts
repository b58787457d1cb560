import { withAnswer } from '../../oauth/apps/redirect-uri.ts'
import type { AuthorizationRequest, GivenAuthorization } from '../../oauth/sign-in/authorization.ts'
import type { Visit } from './page-row.ts'

/** Sealed state that a page of sign-in carries. */
export interface Ticket {
  readonly given: GivenAuthorization
  readonly request: AuthorizationRequest
  /** Epoch milliseconds. */
  readonly madeAt: number
  /** Who goes on by the page, as it named the user; undefined where it asked for a password. */
  readonly username?: string | undefined
  /** Key of the user whose password this sign-in has shown to be right, and asks to be changed. */
  readonly newPasswordOf?: string
}

/** Opens the state that a form or a link has brought; undefined for one that no page of this server had. */
export async function openTicket({ input, dependencies }: Visit): Promise<Ticket | undefined> {
  const text = 'value' in input ? input.value['oauth_state'] : undefined
  if (typeof text !== 'string') return undefined
  return (await dependencies.tickets.open('authorization', text)) as Ticket | undefined
}

/** Address at which the same request begins again. */
export function authorizeAgain({ contextPath }: Pick<Visit, 'contextPath'>, given: GivenAuthorization): string {
  return withAnswer(`${contextPath}/sharing/rest/oauth2/authorize`, {
    client_id: given.clientId,
    response_type: given.responseType,
    redirect_uri: given.redirectUri,
    state: given.state,
    expiration: given.expiration === undefined ? undefined : String(given.expiration),
    code_challenge: given.challenge,
    code_challenge_method: given.challengeMethod,
  })
}
