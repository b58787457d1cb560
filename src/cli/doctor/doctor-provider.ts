import { type Config, ConfigError } from '../../config.ts'
import { openMailTransport, openProvider } from '../../dependencies.ts'
import { reasonOf } from '../../errors.ts'
import { readKnownPaths } from '../../items/categories/category-operations.ts'
import type { CategoryCount } from '../../items/store.ts'
import { type CheckResult, type Inspection, ok, problem, warning } from '../../storage/maintenance/check-result.ts'

/** Administrators of an organization that are looked at. */
const maxAdministrators = 1_000

/** Whether users can sign in through the identity provider, and an administrator without it. Nothing where none is set. */
export async function* inspectIdentityProvider(
  config: Config,
  { readers }: Inspection,
  now: () => number,
): AsyncGenerator<CheckResult> {
  if (!config.identityProvider) return
  yield* inspectProvider(config, now)
  const { directory } = readers
  for (const { portalId } of await directory.listPortals()) {
    const page = { start: 1, num: maxAdministrators }
    const { entries } = await directory.listUsers(portalId, page, { role: 'org_admin' })
    const enabled = entries.filter(({ disabled }) => !disabled)
    const hashes = await Promise.all(enabled.map(({ userId }) => directory.findPasswordHash(userId)))
    const local = hashes.filter((hash) => hash !== undefined).length
    yield local > 0
      ? ok(
          `Organization ${portalId} has ${local} administrators with a password, who do not need the identity provider.`,
        )
      : warning(
          `No administrator of organization ${portalId} has a password: no one can help while the identity provider does not ` +
            'answer. Give one a password by "cartulary user".',
        )
  }
}

async function* inspectProvider(config: Config, now: () => number): AsyncGenerator<CheckResult> {
  try {
    const provider = await openProvider(config, now)
    const publicUrl = config.publicUrl ?? `${config.tls ? 'https' : 'http'}://localhost:${config.port}`
    if (provider) yield* provider.inspect(`${publicUrl}/oidc/callback`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    yield problem(error.message)
  }
}

/** Whether the mail server can be signed in to. Nothing where none is set. */
export async function* inspectMail(config: Config): AsyncGenerator<CheckResult> {
  if (!config.mail) return
  const { host, port } = config.mail
  if (config.publicUrl === undefined) {
    yield warning(
      'MAIL_SERVER is set without PUBLIC_URL: links in mails lead to localhost, where only this machine finds them.',
    )
  }
  try {
    await (await openMailTransport(config))?.verify()
    yield ok(`The mail server ${host}:${port} answers, and takes the settings.`)
  } catch (error) {
    const sentence = `The mail server ${host}:${port} cannot be used: ${reasonOf(error)}. See the settings MAIL_….`
    yield problem(error instanceof ConfigError ? error.message : sentence)
  }
}

/** Whether items carry categories that the category schema of their organization lacks: browsing by category does not find them. */
export async function inspectItemCategories({ readers }: Inspection): Promise<readonly CheckResult[]> {
  const findings: CheckResult[] = []
  for (const { portalId } of await readers.directory.listPortals()) {
    const owner = { kind: 'portal', portalId } as const
    const known = await readKnownPaths(readers, owner)
    const isUnknown = ({ path }: { readonly path: string }) => !known.has(path)
    // Looks at categories; only where some are unknown, items are counted.
    const carried = await readers.items.listCarried(owner)
    if (!carried.some((one) => one.state !== 'cleared' && isUnknown(one))) continue
    const stale = topmost((await readers.items.countCoverage(owner)).slice(2).filter(isUnknown))
    const items = stale.reduce((sum, one) => sum + one.items, 0)
    findings.push(
      warning(
        `Items of organization ${portalId} carry categories that its category schema has not ` +
          `(${stale.length} categories, carried ${items} times): give the items others, or put the categories back.`,
      ),
    )
  }
  return findings.length > 0 ? findings : [ok('The category schemas have every category that items carry.')]
}

/** Returns the categories below no other one: an item with a category counts for those above it too. */
function topmost(counts: readonly CategoryCount[]): readonly CategoryCount[] {
  const paths = new Set(counts.map(({ path }) => path))
  return counts.filter(({ path }) => {
    const titles = path.split('/')
    return !titles.some((_, at) => at > 1 && at < titles.length && paths.has(titles.slice(0, at).join('/')))
  })
}
