import { samePassword } from '../../directory/passwords/password.ts'
import { usernameKey } from '../../directory/user.ts'
import { isOperationRefused } from '../../errors.ts'
import { outOfBand } from '../../oauth/apps/redirect-uri.ts'
import { requestMilliseconds } from '../../oauth/lifetimes.ts'
import {
  findUserOfLink,
  type PasswordProof,
  requireGoodNewPassword,
} from '../../oauth/passwords/new-password-operations.ts'
import { readSignIn } from '../../oauth/sign-in/sign-in-operations.ts'
import { addressKey } from '../../tokens/address.ts'
import { beginSignIn } from '../../tokens/sign-in.ts'
import { optionalText } from '../endpoints/parameter-types.ts'
import { newPasswordPath, signInTo } from '../endpoints/sign-in.ts'
import { signInByPassword } from './code-of-password.ts'
import { lostPasswordLink } from './lost-password.ts'
import { formatNewPassword, passwordChanged } from './new-password-page.ts'
import { messagePage, refusedPage, tooManyAttempts, wrongPassword } from './page.ts'
import { type PageAnswer, type PageRow, pageRow, type Visit } from './page-row.ts'
import { authorizeAgain, openTicket, type Ticket } from './ticket.ts'

const parameters = {
  link: optionalText('Of a link that is used once.', { isSecret: true }),
  oauth_state: optionalText('Of the page of sign-in that led here.', { isSecret: true }),
  username: optionalText('Username, without a link.', { maxLength: 128 }),
  password: optionalText('Present password, without a link.', { isSecret: true }),
  newPassword: optionalText('The new password.', { isSecret: true }),
  repeated: optionalText('The same again.', { isSecret: true }),
}

/** Not in the address of the form, which servers and browsers keep. The address of a link opens the page only. */
const secrets = ['link', 'repeated']

/** On which users choose a new password: by a link, or by the present one. */
export const newPasswordRows: readonly PageRow[] = [
  pageRow({
    id: 'choosePassword',
    title: 'New password',
    task: 'set the password',
    path: newPasswordPath,
    methods: ['GET', 'POST'],
    effect: 'change',
    checksPassword: true,
    parameters,
    summary: 'Sets a password that the user chooses, by a link that is used once or by the present password.',
    source: 'chosen',
    chosen: ['Opening the page does not use the link.', 'Ends every session of the user.'],
    async answer(visit) {
      const { input, method, requestParameters } = visit
      if ('problems' in input) return refusedPage(visit.texts, 400, input.problems.join(' '))
      const { link } = input.value
      if (link && !(await findHolder(visit, link))) return linkEnded(visit)
      if (method === 'GET' || visit.choosesLanguage) return page(visit)
      if (visit.findCrossSiteOrigin() !== undefined) return page(visit, visit.texts.text('otherSite'))
      const inAddress = secrets.find(requestParameters.isInQuery)
      if (inAddress) return page(visit, `${inAddress}: belongs in the form, not in its address.`)
      const { newPassword, repeated } = input.value
      if (!newPassword) return page(visit, visit.texts.text('giveNew'))
      if (newPassword !== repeated) return page(visit, visit.texts.text('different'))
      return link ? setByLink(visit, link, newPassword) : setByPassword(visit, newPassword)
    },
    async answerRefusal(visit, failure) {
      return failure.code === 429
        ? { ...(await page(visit, tooManyAttempts(visit.texts, failure).shown)), outcome: 429 }
        : undefined
    },
  }),
]

type NewPasswordVisit = Visit<typeof parameters>

function findHolder({ read, dependencies }: Pick<Visit, 'read' | 'dependencies'>, link: string) {
  return read(findUserOfLink, { linkHash: dependencies.random.hashToken(link) })
}

async function setByLink(visit: NewPasswordVisit, link: string, newPassword: string): Promise<PageAnswer> {
  const { dependencies } = visit
  const user = await findHolder(visit, link)
  if (!user) return linkEnded(visit)
  const linkHash = dependencies.random.hashToken(link)
  const accountKey = dependencies.digest(usernameKey(user.username))
  return set(visit, user.username, { by: 'link', linkHash, accountKey }, newPassword)
}

async function setByPassword(visit: NewPasswordVisit, newPassword: string): Promise<PageAnswer> {
  const { dependencies, input, read, run } = visit
  const { username, password } = 'value' in input ? input.value : {}
  if (!username || !password) return page(visit, wrongPassword(visit.texts).shown)
  const signIn = signInTo(username, visit)
  const { passwordHash, turn } = await read(beginSignIn, signIn)
  const matches = await dependencies.passwords.verify(password, passwordHash, turn)
  const proof = { by: 'password', ...signIn, verifiedHash: matches ? passwordHash : undefined } as const
  const { isProven } = await run('choosePassword', { proof, newHash: undefined })
  return isProven ? set(visit, username, proof, newPassword) : page(visit, wrongPassword(visit.texts).shown)
}

async function set(
  visit: NewPasswordVisit,
  username: string,
  proof: PasswordProof,
  newPassword: string,
): Promise<PageAnswer> {
  const { dependencies, address, read, run } = visit
  let presentHash: string | undefined
  try {
    const password = { text: newPassword, isCommon: dependencies.isCommonPassword(newPassword) }
    presentHash = (await read(requireGoodNewPassword, { username, password })).presentHash
  } catch (refusal) {
    if (isOperationRefused(refusal))
      return page(visit, visit.texts.reason(refusal.message.replace(/^newPassword: /, '')))
    throw refusal
  }
  const turn = { address: addressKey(address), isKnownAddress: true }
  if (await dependencies.passwords.verify(newPassword, presentHash, turn))
    return page(visit, visit.texts.reason(samePassword))
  const newHash = await dependencies.passwords.hash(newPassword, addressKey(address))
  const { isProven } = await run('choosePassword', { proof, newHash })
  if (!isProven) return proof.by === 'link' ? linkEnded(visit) : page(visit, wrongPassword(visit.texts).shown)
  visit.noteSignIn(username)
  const ticket = await openTicket(visit)
  const signedIn = ticket && proof.by === 'link' && (await continueSignIn(visit, ticket, username, newPassword))
  if (signedIn) return signedIn
  const next = ticket ? authorizeAgain(visit, ticket.given) : `${visit.contextPath}/`
  return { ...passwordChanged(visit.texts, next), session: null }
}

/**
 * Completes the sign-in that asked for the new password, as if it had been typed on its page: the same user, within the time of
 * that page, for the app that the page named.
 */
async function continueSignIn(
  visit: NewPasswordVisit,
  { request, madeAt, newPasswordOf }: Ticket,
  username: string,
  newPassword: string,
): Promise<PageAnswer | undefined> {
  const { publicUrl, settings, now } = visit
  const { clientId, redirectUri } = request
  if (newPasswordOf !== usernameKey(username) || madeAt + requestMilliseconds <= now) return undefined
  if (redirectUri === outOfBand && !settings.takesPasswordsOfPrograms) return undefined
  const view = await visit.read(readSignIn, { clientId, redirectUri, publicUrl, sessionHash: undefined })
  const signedIn = view && (await signInByPassword(visit, view, request, username, newPassword))
  return signedIn?.outcome === 'signed in' ? signedIn.answer : undefined
}

/** The form, with what went wrong. */
async function page(visit: NewPasswordVisit, message?: string): Promise<PageAnswer> {
  const { contextPath, input, texts } = visit
  const { link, oauth_state: ticket, username } = 'value' in input ? input.value : {}
  const holder = link ? await findHolder(visit, link) : undefined
  const opened = await openTicket(visit)
  const isFirst = opened?.newPasswordOf !== undefined
  const continuesAt = isFirst ? opened.request.redirectUri : undefined
  const shown = { texts, contextPath, ticket, isFirst, continuesAt, message, link: holder && link }
  return {
    ...formatNewPassword({ ...shown, username: holder?.username ?? username }),
    ...(message === undefined ? {} : { outcome: 400 }),
  }
}

function linkEnded(visit: NewPasswordVisit): PageAnswer {
  const { texts } = visit
  const again = lostPasswordLink(visit)
  const sentence = texts.text('linkEnded')
  const page = again
    ? messagePage(texts.text('linkNotValid'), sentence, again)
    : messagePage(texts.text('linkNotValid'), `${sentence} ${texts.text('askForLink')}`)
  return { ...page, outcome: 400 }
}
