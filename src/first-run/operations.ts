import { type AuditDetails, nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { builtInRoles } from '../call/privilege.ts'
import { type ChosenPassword, findPasswordProblem } from '../directory/passwords/password.ts'
import { formatUrlKey, type Portal } from '../directory/portal.ts'
import { findUsernameProblem, newUser, type User, usernameKey } from '../directory/user.ts'
import { operationRefused } from '../errors.ts'
import type { Language } from '../languages.ts'
import type { OAuthReaders, OAuthStores } from '../oauth/store.ts'
import { say } from '../sentences/say.ts'
import { addFailure, requireFewFailures, type SignIn } from '../tokens/sign-in.ts'
import { plantSample, type SampleIds, type SampleStores } from './sample.ts'

/**
 * The first run: by a link that is used once, the first organization gets its name and its administrator. The link is kept where
 * links to new passwords are, under another hash, so that neither opens what the other does.
 */

/** How long the link opens (chosen). */
export const firstRunMilliseconds = 24 * 60 * 60_000

/** Hash that is kept of the secret in the link. */
export function hashOfFirstRun({ hashToken }: { hashToken(token: string): string }, secret: string): string {
  return hashToken(`first-run ${secret}`)
}

/** The organization with the administrator that it was made with. */
interface Untouched {
  readonly portal: Portal
  readonly administrator: User
}

/** The first organization, as long as its administrator is its only user and has never signed in. */
async function findUntouched({ directory }: OAuthReaders): Promise<Untouched | undefined> {
  const portal = await directory.findDefaultPortal()
  if (!portal) return undefined
  const { total, entries } = await directory.listUsers(portal.portalId, { start: 1, num: 1 })
  const [administrator] = entries
  const isUntouched = total === 1 && administrator?.role === 'org_admin' && administrator.lastSignInAt === undefined
  return isUntouched && !administrator.disabled ? { portal, administrator } : undefined
}

/** Finds the organization that the link opens; undefined if it was used, has expired, or the organization is in use. */
async function findOpened(stores: OAuthReaders, { now }: Call, linkHash: string): Promise<Untouched | undefined> {
  const link = await stores.oauth.findLink(linkHash)
  if (!link || link.expiresAt <= now) return undefined
  const untouched = await findUntouched(stores)
  return untouched?.administrator.userId === link.userId ? untouched : undefined
}

/** Whether the link opens. Says nothing else, as anyone may ask. */
export async function readFirstRun(
  stores: OAuthReaders,
  call: Call,
  input: { readonly linkHash: string },
): Promise<{ readonly isOpen: boolean }> {
  return { isOpen: (await findOpened(stores, call, input.linkHash)) !== undefined }
}

/** Makes another link, in place of the one before: for the operator of the server, as long as the organization is untouched. */
export async function renewFirstRun(
  stores: OAuthStores,
  { now }: Call,
  { linkHash }: { readonly linkHash: string },
): Promise<WithAuditDetails & { readonly portal: Portal }> {
  const untouched = await findUntouched(stores)
  if (!untouched) {
    throw operationRefused(
      'The first organization is in use: a user has signed in to it, or it has more than its first user. "cartulary user reset" gives a user another password.',
    )
  }
  const { portal, administrator } = untouched
  await stores.oauth.putLink({ linkHash, userId: administrator.userId, expiresAt: now + firstRunMilliseconds })
  const { portalId } = portal
  return { portal, audit: { portalId, target: `/portals/${portalId}` } }
}

/** Choices of the first administrator. */
export interface FirstChoice {
  readonly organizationName: string
  readonly username: string
  readonly fullName: string
  readonly email: string
}

interface FirstRunInput {
  readonly signIn: SignIn
  readonly linkHash: string
}

/** First half: refuses what may not be chosen, before the password is hashed. A secret that opens nothing is refused later, as it is counted. */
export async function beginFirstRun(
  stores: OAuthReaders,
  call: Call,
  {
    signIn,
    linkHash,
    choice,
  }: FirstRunInput & { readonly choice: Parsed<FirstChoice & { readonly password: ChosenPassword }> },
): Promise<{ readonly isOpen: boolean }> {
  await requireFewFailures(stores, call, signIn, undefined)
  const opened = await findOpened(stores, call, linkHash)
  if (opened) {
    const chosen = unwrapParsed(choice)
    requireGoodChoice(chosen)
    await requireFree(stores, opened, chosen)
  }
  return { isOpen: opened !== undefined }
}

function requireGoodChoice({
  organizationName,
  username,
  password,
}: FirstChoice & { readonly password: ChosenPassword }): void {
  const passwordProblem = findPasswordProblem(password, { username, organization: organizationName })
  const usernameProblem = findUsernameProblem(username)
  const problems = [
    ...(usernameProblem === undefined ? [] : [`username: ${usernameProblem}`]),
    ...(passwordProblem === undefined ? [] : [`password: ${passwordProblem}`]),
  ]
  if (problems.length > 0) throw operationRefused(...problems)
}

async function requireFree(
  { directory }: OAuthReaders,
  { administrator }: Untouched,
  { username }: FirstChoice,
): Promise<void> {
  const named = await directory.findUser(username)
  if (named && named.userId !== administrator.userId)
    throw operationRefused(`username: ${say('isTaken', { username })}`)
}

/** Result of a first run: what was made, and whom to sign in as. */
export interface CompletedRun {
  readonly portal: Portal
  readonly username: string
}

type FirstRunStores = OAuthStores & SampleStores

/**
 * Second half: gives the organization its name and its administrator, in place of the one that it was made with, and uses the link
 * up. A secret that opens nothing counts as a failed sign-in.
 */
export async function completeFirstRun(
  stores: FirstRunStores,
  call: Call,
  input: FirstRunInput & {
    readonly choice: Parsed<FirstChoice>
    /** Undefined if the secret opened nothing. */
    readonly passwordHash: string | undefined
    /** Id of the new administrator. */
    readonly userId: string
    /** Ids of sample content; undefined if none is wanted. */
    readonly sampleIds: SampleIds | undefined
    /** Language of the sample content. */
    readonly language: Language
  },
): Promise<WithAuditDetails & { readonly completed: CompletedRun | undefined }> {
  const { signIn, linkHash, passwordHash, userId, sampleIds, language } = input
  await requireFewFailures(stores, call, signIn, undefined)
  const opened = await findOpened(stores, call, linkHash)
  if (!opened || passwordHash === undefined) {
    await addFailure(stores, call, signIn)
    return { completed: undefined, audit: nothingDone }
  }
  const choice = unwrapParsed(input.choice)
  await requireFree(stores, opened, choice)
  const portal = await rename(stores, call, opened.portal, choice.organizationName)
  const administrator = await replaceAdministrator(stores, call, opened, choice, { userId, passwordHash })
  const caller = callerOf(administrator)
  const planted = sampleIds ? await plantSample(stores, { ...call, caller }, sampleIds, language) : []
  const { username } = administrator
  const { portalId } = portal
  const entries = [{ target: `/portals/${portalId}` }, ...planted].map(
    (one): AuditDetails => ({
      ...one,
      username,
      portalId,
    }),
  )
  return { completed: { portal, username }, audit: entries }
}

/** The short name follows, as nothing refers to it yet. */
async function rename({ directory }: OAuthStores, { now }: Call, portal: Portal, name: string): Promise<Portal> {
  const wanted = formatUrlKey(name, portal.portalId)
  const urlKey = (await directory.hasUrlKey(wanted)) ? portal.urlKey : wanted
  const renamed = { ...portal, name, urlKey, modifiedAt: now }
  await directory.updatePortal(renamed)
  return renamed
}

/** The user is kept where the name is the same; otherwise another one takes its place. */
async function replaceAdministrator(
  { directory, tokens }: OAuthStores,
  { now }: Call,
  { portal, administrator }: Untouched,
  { username, fullName, email }: FirstChoice,
  { userId, passwordHash }: { readonly userId: string; readonly passwordHash: string },
): Promise<User> {
  // The link with it.
  await tokens.removeTokensOf(administrator.userId)
  if (usernameKey(username) === administrator.username.toLowerCase()) {
    const chosen = { ...administrator, fullName: fullName || administrator.fullName, email, modifiedAt: now }
    await directory.updateUser(chosen)
    await directory.putPasswordHash(administrator.userId, passwordHash)
    return chosen
  }
  await directory.removeUser(administrator.userId)
  const person = { userId, username, fullName, firstName: '', lastName: '', email, role: 'org_admin' }
  const user = newUser(person, portal.portalId, now)
  await directory.addUser(user, passwordHash)
  return user
}

function callerOf({ userId, username, portalId }: User): Caller {
  return { userId, username, portalId, role: 'org_admin', privileges: new Set(builtInRoles.org_admin) }
}
