import { readConfig } from '../config.ts'
import { type OpenDependencies, openDependencies } from '../dependencies.ts'
import type { ResealedKey } from '../directory/portal-operations.ts'
import { OperationRefused } from '../errors.ts'
import { write } from '../operations/execute.ts'
import { requireNoArguments, runSubcommand } from './args.ts'
import { requireDatabaseFile } from './sqlite-setting.ts'
import { CommandFailed, type Terminal } from './terminal.ts'

/** The secret under which private keys are sealed. */
export async function secretCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  await runSubcommand({ rotate: (rest) => rotateSecret(rest, terminal) }, args)
}

/** Seals every private key under the present secret. Servers of the same database that open both keep on serving. */
async function rotateSecret(args: readonly string[], { environment, print }: Terminal): Promise<void> {
  requireNoArguments(args)
  const config = readConfig(environment)
  requireDatabaseFile(config)
  const dependencies = await openDependencies(config)
  try {
    const resealed = await resealAll(dependencies)
    const { stale, total } = await findStaleKeys(dependencies)
    if (stale.length > 0) {
      throw new CommandFailed(
        `The private keys of ${stale.length} of ${total} organizations were made under another secret meanwhile: run ` +
          'this again when every server has the present one.',
      )
    }
    print(`Re-sealed ${resealed} of ${total} private keys; every one is sealed under the present secret.`)
    if (config.previousSecretKey) {
      print('The previous secret is needed only by backups that were made before: keep it with them.')
    }
  } finally {
    await dependencies.storage.close()
  }
}

/** Many private keys take longer than the few seconds of a request. */
const longestMilliseconds = 60_000

/** Seals in between a read and a write, so that no transaction waits for it; answers how many were sealed. */
async function resealAll(dependencies: OpenDependencies): Promise<number> {
  const { storage, random, now, seal } = dependencies
  const { stale } = await findStaleKeys(dependencies)
  if (stale.length === 0) return 0
  const keys = await Promise.all(
    stale.map(async ({ portalId, sealedPrivateKey }): Promise<ResealedKey> => {
      return { portalId, from: sealedPrivateKey, to: await seal.seal(await seal.open(sealedPrivateKey)) }
    }),
  )
  const command = {
    operation: 'resealPortalKeys',
    input: { keys },
    tokenHash: undefined,
    now: now(),
    problems: [],
    origin: { address: 'localhost', target: '/portals', requestId: random.id() },
  } as const
  await write(storage, command, performance.now() + longestMilliseconds).catch((error: unknown) => {
    throw error instanceof OperationRefused ? new CommandFailed(error.message) : error
  })
  return keys.length
}

async function findStaleKeys({ storage, seal }: OpenDependencies) {
  const keys = await storage.read(({ directory }) => directory.listPortalKeys())
  return { stale: keys.filter(({ sealedPrivateKey }) => !seal.isCurrent(sealedPrivateKey)), total: keys.length }
}
