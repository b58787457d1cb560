import type { OpenDependencies } from '../../dependencies.ts'
import type { ResealedKey } from '../../directory/portal-operations.ts'
import { requireNoArguments, runSubcommand } from '../args.ts'
import { CommandFailed, type Terminal } from '../output/terminal.ts'
import { withDatabase, writeAsOperator } from './operator.ts'
import { renewKeys } from './secret-renew.ts'

/** The secret under which private keys are sealed. */
export async function secretCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  await runSubcommand(
    { rotate: (rest) => rotateSecret(rest, terminal), renew: (rest) => renewKeys(rest, terminal) },
    args,
  )
}

/** Seals every private key under the present secret. Servers of the same database that open both keep on serving. */
async function rotateSecret(args: readonly string[], terminal: Terminal): Promise<void> {
  requireNoArguments(args)
  await withDatabase(terminal, 'own', async (dependencies, config) => {
    const resealed = await resealAll(dependencies)
    const { stale, total } = await findStaleKeys(dependencies)
    if (stale.length > 0) {
      throw new CommandFailed(
        `The private keys of ${stale.length} of ${total} organizations were made under another secret meanwhile: run ` +
          'this again when every server has the present one.',
      )
    }
    terminal.print(`Re-sealed ${resealed} of ${total} private keys; every one is sealed under the present secret.`)
    if (config.previousSecretKey) {
      terminal.print('The previous secret is needed only by backups that were made before: keep it with them.')
    }
  })
}

/** Seals in between a read and a write, so that no transaction waits for it; answers how many were sealed. */
async function resealAll(dependencies: OpenDependencies): Promise<number> {
  const { seal } = dependencies
  const { stale } = await findStaleKeys(dependencies)
  if (stale.length === 0) return 0
  const keys = await Promise.all(
    stale.map(async ({ portalId, sealedPrivateKey }): Promise<ResealedKey> => {
      return { portalId, from: sealedPrivateKey, to: await seal.seal(await seal.open(sealedPrivateKey)) }
    }),
  )
  await writeAsOperator(dependencies, 'resealPortalKeys', { keys }, '/portals')
  return keys.length
}

async function findStaleKeys({ storage, seal }: OpenDependencies) {
  const keys = await storage.read(({ directory }) => directory.listPortalKeys())
  return { stale: keys.filter(({ sealedPrivateKey }) => !seal.isCurrent(sealedPrivateKey)), total: keys.length }
}
