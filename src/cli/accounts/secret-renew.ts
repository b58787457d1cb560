import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import { openSealOf } from '../../dependencies.ts'
import type { RenewedKey } from '../../directory/portal-operations.ts'
import { executeCommand, executeSearch } from '../../operations/execute.ts'
import { random } from '../../secrets/random.ts'
import type { Seal } from '../../secrets/sealed.ts'
import { createPortalKey, openSigner } from '../../secrets/signature.ts'
import { openTarget } from '../../storage/maintenance/move-end.ts'
import { openStorage } from '../../storage/open-storage.ts'
import type { Readers } from '../../storage/storage.ts'
import { parseArguments, requireNoArguments } from '../args.ts'
import { CommandFailed, type Terminal } from '../output/terminal.ts'
import { requireDatabaseFile } from '../sqlite-setting.ts'
import { writeAsOperator } from './operator.ts'

const confirmation = 'renew'

/**
 * Makes new key pairs for the organizations whose private keys do not open any more, or with --all for every one. Says first
 * what that costs, and does it only when it is confirmed. No server may run: it would go on with the keys and the secret
 * that it has in memory.
 */
export async function renewKeys(args: readonly string[], terminal: Terminal): Promise<void> {
  const options = { yes: { type: 'boolean' }, all: { type: 'boolean' } } as const
  const { values, positionals } = parseArguments(args, options)
  requireNoArguments(positionals)
  const config = readConfig(terminal.environment)
  requireDatabaseFile(config)
  await requireNoServer(config)
  const { database, limits } = config
  const storage = await openStorage(database, limits, executeCommand(limits, random.id), executeSearch(limits))
  try {
    const state = await storage.read(readState)
    const lost = await findLost(config, state.keys)
    const chosen = values.all ? state.keys : lost
    if (chosen.length === 0) {
      terminal.print(
        'The secret opens the private key of every organization: nothing has to be renewed. Nothing was changed.',
      )
      return
    }
    terminal.print(describeCost(config, state, lost.length, chosen.length))
    await requireConfirmation(terminal, values.yes === true)
    // Called only now: it makes the file of the secret where there is none.
    const seal = openSealOf(config, false)
    const keys = await Promise.all(
      chosen.map(async ({ portalId, sealedPrivateKey }): Promise<RenewedKey> => {
        return { portalId, from: sealedPrivateKey, key: await createPortalKey(seal) }
      }),
    )
    await writeAsOperator({ storage, random, now: Date.now }, 'renewPortalKeys', { keys }, '/portals')
    terminal.print(`Made new keys for ${keys.length} of ${state.keys.length} organizations. Their fingerprints:`)
    for (const line of await formatFingerprints(keys, seal, state.names)) terminal.print(line)
  } finally {
    await storage.close()
  }
}

type State = Awaited<ReturnType<typeof readState>>

async function readState({ directory, collaborations }: Readers) {
  const names = new Map((await directory.listPortals()).map(({ portalId, name }) => [portalId, name]))
  const invitations = await collaborations.countInvitationsByState()
  return { keys: await directory.listPortalKeys(), names, openInvitations: invitations.get('host_created') ?? 0 }
}

/** On both engines by the lock that servers hold; released again, as what follows takes it as a server does. */
async function requireNoServer({ database }: Config): Promise<void> {
  const end = await openTarget(database)
  try {
    await end.claim()
  } finally {
    await end.close()
  }
}

/** The keys that the present secrets do not open. Makes no secret. */
async function findLost(config: Config, keys: State['keys']): Promise<State['keys']> {
  const { secretKey } = config
  if (secretKey.kind === 'file' && !existsSync(secretKey.path)) return keys
  const seal = openSealOf(config, true)
  const opened = await Promise.allSettled(keys.map(({ sealedPrivateKey }) => seal.open(sealedPrivateKey)))
  return keys.filter((_, place) => opened[place]!.status === 'rejected')
}

function describeCost({ secretKey }: Config, { keys, openInvitations }: State, lost: number, chosen: number): string {
  const place = secretKey.kind === 'file' ? resolve(secretKey.path) : 'SECRET_KEY'
  return [
    `The private keys of ${lost} of ${keys.length} organizations do not open under the present secret. ` +
      `New keys for ${chosen} of them cannot be undone, and this is what they cost:`,
    '- Portals that know these organizations by their old keys refuse what they sign from now on, until a person there',
    '  compares the new fingerprint and accepts it (acceptNewKey=true).',
    `- Open invitations, ${openInvitations} in this database, are signed by the old keys: refresh them, and send the new`,
    '  files. Responses that were exported and not imported have to be exported again where both portals are in this database.',
    '- Failed sign-ins that count now no longer do, and a log that is read page by page has to be read from its start.',
    'Users, passwords, sessions, groups, items, category schemas, collaborations and their participants stay as they are.',
    `If the old secret may still be found, stop here, and put it into ${place} instead.`,
  ].join('\n')
}

async function requireConfirmation({ input, print }: Terminal, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return
  print(`Type ${confirmation} to go on:`)
  if ((await input?.readLine())?.trim() === confirmation) return
  throw new CommandFailed(`Nothing was changed. Type ${confirmation} when you are asked, or give --yes.`)
}

async function formatFingerprints(
  keys: readonly RenewedKey[],
  seal: Seal,
  names: State['names'],
): Promise<readonly string[]> {
  const { fingerprint } = openSigner(seal)
  const format = async ({ portalId, key }: RenewedKey) =>
    `${portalId}  ${await fingerprint(JSON.parse(key.publicKey))}  ${names.get(portalId) ?? ''}`
  return Promise.all(keys.map(format))
}
