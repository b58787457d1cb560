import type { JudgedIdentity } from '../../../identities/claims.ts'
import type { ProviderTransaction } from '../../../identities/provider.ts'
import type { GivenAuthorization } from '../../../oauth/sign-in/authorization.ts'
import type { Visit } from '../page-row.ts'

/** Sealed cookies of a browser while a sign-in is at the identity provider, and while an account is linked. */

/** A sign-in that has gone to the provider. */
export interface Transaction extends ProviderTransaction {
  /** Request of an app; undefined for a sign-in without one. */
  readonly given: GivenAuthorization | undefined
  readonly madeAt: number
}

/** An account of the provider that no user is linked to yet. */
export interface PendingLink {
  readonly identity: JudgedIdentity
  readonly session: string | undefined
  readonly given: GivenAuthorization | undefined
  readonly madeAt: number
}

const minutes = 10
const milliseconds = minutes * 60_000
/** Browsers keep 4,096 bytes for a cookie, with its name and attributes. */
const maxValueLength = 3_800
/** Maximum length of all transactions together, in characters: a request takes 16 KiB of headers, and other programs have cookies too. */
const maxCharacters = 8_000
/** Tabs in which one person may sign in at the same time. */
const maxTransactions = 3

/** Cookies that keep the transaction, and remove what is too old or too many; undefined if it is too long to be kept. */
export async function keepTransaction(
  { dependencies, cookies }: Visit,
  transaction: Transaction,
): Promise<readonly string[] | undefined> {
  const sealed = await dependencies.tickets.seal('identity provider', transaction)
  if (sealed.length > maxCharacters) return undefined
  const own = `t.${transaction.madeAt.toString(36)}.${idOf(transaction.state, dependencies)}`
  const sizes = new Map<string, number>()
  for (const [name, value] of cookies.given) {
    const key = /^(t\.[a-z0-9]+\.[a-f0-9]+)\.\d$/.exec(name)?.[1]
    if (key !== undefined) sizes.set(key, (sizes.get(key) ?? 0) + value.length)
  }
  let room = maxCharacters - sealed.length
  let kept = 1
  const ended = [...sizes.keys()]
    .sort((one, other) => timeOf(other) - timeOf(one))
    .filter((key) => {
      room -= sizes.get(key)!
      kept += 1
      return kept > maxTransactions || room < 0 || timeOf(key) + milliseconds <= transaction.madeAt
    })
  return [...write(cookies, own, sealed), ...remove(cookies, (name) => ended.some((key) => name.startsWith(`${key}.`)))]
}

function timeOf(key: string): number {
  return Number.parseInt(key.split('.')[1]!, 36)
}

/** The transaction of this state, and the cookies that remove it: it counts once. */
export async function takeTransaction(
  { dependencies, cookies, now }: Visit,
  state: string,
): Promise<{ readonly transaction: Transaction | undefined; readonly removed: readonly string[] }> {
  const id = idOf(state, dependencies)
  const isOwn = (name: string) => new RegExp(`^t\\.[a-z0-9]+\\.${id}\\.\\d$`).test(name)
  const found = (await dependencies.tickets.open('identity provider', join(cookies, isOwn))) as Transaction | undefined
  const isValid = found !== undefined && found.state === state && found.madeAt + milliseconds > now
  return { transaction: isValid ? found : undefined, removed: remove(cookies, isOwn) }
}

const isLink = (name: string) => /^l\.\d$/.test(name)

export async function keepLink({ dependencies, cookies }: Visit, link: PendingLink): Promise<readonly string[]> {
  const sealed = await dependencies.tickets.seal('identity link', link)
  const written = write(cookies, 'l', sealed)
  // Cookies that are written again are not removed: browsers need not keep the order.
  return [...remove(cookies, (name) => isLink(name) && Number(name.slice(2)) >= written.length), ...written]
}

export async function readLink({ dependencies, cookies, now }: Visit): Promise<PendingLink | undefined> {
  const found = (await dependencies.tickets.open('identity link', join(cookies, isLink))) as PendingLink | undefined
  return found && found.madeAt + milliseconds > now ? found : undefined
}

export function removeLink({ cookies }: Visit): readonly string[] {
  return remove(cookies, isLink)
}

function idOf(state: string, { random }: Visit['dependencies']): string {
  return random.hashToken(state).slice(0, 12)
}

function write(cookies: Visit['cookies'], name: string, text: string): readonly string[] {
  const parts = text.match(new RegExp(`.{1,${maxValueLength}}`, 'g')) ?? []
  return parts.map((part, number) => cookies.write(`${name}.${number}`, part, minutes * 60))
}

function join({ given }: Visit['cookies'], isOwn: (name: string) => boolean): string {
  const parts = [...given].filter(([name]) => isOwn(name))
  return parts
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, value]) => value)
    .join('')
}

function remove(cookies: Visit['cookies'], isOwn: (name: string) => boolean): readonly string[] {
  return [...cookies.given.keys()].filter(isOwn).map((name) => cookies.write(name, null, 0))
}
