import { type Config, ConfigError } from '../../config.ts'
import { openProvider } from '../../dependencies.ts'
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
