import { outOfBand, withAnswer } from '../../oauth/apps/redirect-uri.ts'
import { maxAgentLength } from '../../oauth/grant.ts'
import type { AuthorizationRequest } from '../../oauth/sign-in/authorization.ts'
import type { SignInView } from '../../oauth/sign-in/sign-in-operations.ts'
import { addressKey } from '../../tokens/address.ts'
import { beginSignIn } from '../../tokens/sign-in.ts'
import { signInTo } from '../endpoints/sign-in.ts'
import type { PageAnswer, Visit } from './page-row.ts'
import { formatApproval } from './pages.ts'

/** A sign-in by a password: the answer with the code, or why there is none. */
export type PasswordSignIn =
  | { readonly outcome: 'signed in'; readonly answer: PageAnswer }
  /** There is the secret of a link by which the password is changed. */
  | { readonly outcome: 'temporary password'; readonly link: string }
  | { readonly outcome: 'app' | 'password' | 'session' }

export async function signInByPassword(
  visit: Visit,
  view: SignInView,
  request: AuthorizationRequest,
  username: string,
  password: string,
): Promise<PasswordSignIn> {
  const { dependencies, isBrowser, sessionHash } = visit
  const signIn = signInTo(username, visit)
  const { passwordHash, turn } = await visit.read(beginSignIn, signIn)
  const matches = await dependencies.passwords.verify(password, passwordHash, turn)
  const session = isBrowser ? dependencies.random.token() : undefined
  const { code, ...grant } = newGrant(visit, request)
  const link = dependencies.random.token()
  const { outcome } = await visit.run('signInToApp', {
    ...signIn,
    ...grant,
    linkHash: dependencies.random.hashToken(link),
    verifiedHash: matches ? passwordHash : undefined,
    sessionHash: session === undefined ? undefined : dependencies.random.hashToken(session),
    formerSessionHash: sessionHash,
  })
  if (outcome === 'temporary password') return { outcome, link }
  if (outcome !== 'signed in') return { outcome }
  visit.noteSignIn(username)
  const answer = sendCode(visit, code, view, request)
  return { outcome, answer: session === undefined ? answer : { ...answer, session } }
}

export function newGrant({ dependencies, publicUrl, address, agent }: Visit, request: AuthorizationRequest) {
  const { random } = dependencies
  const code = random.token()
  const at = { address: addressKey(address), agent: agent.slice(0, maxAgentLength) }
  return { request, publicUrl, code, codeHash: random.hashToken(code), grantId: random.id(), at }
}

export function sendCode(
  { texts }: Visit,
  code: string,
  view: SignInView,
  { redirectUri, state }: AuthorizationRequest,
): PageAnswer {
  if (redirectUri === outOfBand) return formatApproval(texts, code, view)
  return { redirect: withAnswer(redirectUri, { code, state }) }
}
