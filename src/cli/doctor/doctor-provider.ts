import type { Config } from '../../config.ts'
import { openProvider } from '../../dependencies.ts'
import { type CheckResult, type Inspection, ok, warning } from '../../storage/maintenance/check-result.ts'

/** Administrators of an organization that are looked at. */
const mostAdministrators = 1_000

/** Whether users can sign in through the identity provider, and an administrator without it. Nothing where none is set. */
export async function* inspectIdentityProvider(
  config: Config,
  { readers }: Inspection,
  now: () => number,
): AsyncGenerator<CheckResult> {
  const provider = openProvider(config, now)
  if (!provider) return
  const publicUrl = config.publicUrl ?? `${config.tls ? 'https' : 'http'}://localhost:${config.port}`
  yield* provider.inspect(`${publicUrl}/oidc/callback`)
  const { directory } = readers
  for (const { portalId } of await directory.listPortals()) {
    const page = { start: 1, num: mostAdministrators }
    const { entries } = await directory.listUsers(portalId, page, { role: 'org_admin' })
    const enabled = entries.filter(({ disabled }) => !disabled)
    const hashes = await Promise.all(enabled.map(({ userId }) => directory.findPasswordHash(userId)))
    const local = hashes.filter((hash) => hash !== undefined).length
    yield local > 0
      ? ok(
          `Organization ${portalId} has ${local} administrators with a password, who do not need the identity provider.`,
        )
      : warning(
          `No administrator of organization ${portalId} has a password: nobody can help while the identity provider does not ` +
            'answer. Give one a password by "cartulary user".',
        )
  }
}
