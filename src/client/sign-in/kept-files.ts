import { statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isObject } from '../../json-text.ts'
import { untried } from '../failure.ts'
import { parseJson, readText, writePrivately } from '../files/file.ts'
import { withLock } from '../files/lock.ts'
import type { Shell } from '../shell.ts'

/** A sign-in, as `config.json` has it. */
export interface Profile {
  readonly url: string
  readonly username?: string
  readonly clientId?: string
  /** Words of a program, run without a shell, that prints the password. */
  readonly credentialCommand?: readonly string[]
}

/** A token that a portal issued. */
export interface Issued {
  readonly token: string
  /** Epoch milliseconds; null where the portal does not say it. */
  readonly expires: number | null
}

/** A token, as `tokens.json` has it. It is sent to this address alone. */
export type KeptToken = Issued & { readonly url: string }

export type KeptSignIns = Readonly<{ profiles: Record<string, Profile>; tokens: Record<string, KeptToken> }>

const isWindows = process.platform === 'win32'

/** Home of this user, also where HOME is empty: the working folder, which others may have made, is none. */
function homeOf({ HOME: home }: Shell['environment']): string {
  return home || homedir() || userInfo().homedir
}

export function configFolder({ environment }: Pick<Shell, 'environment'>): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: roaming } = environment
  return join(isWindows && roaming ? roaming : xdg || join(homeOf(environment), '.config'), 'cartulary')
}

export function stateFolder({ environment }: Pick<Shell, 'environment'>): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = environment
  return join(isWindows && local ? local : xdg || join(homeOf(environment), '.local', 'state'), 'cartulary')
}

/** Profiles and tokens; files that others may read or write, or that are broken, are refused. */
export function readSignIns(shell: Pick<Shell, 'environment'>): KeptSignIns {
  const folder = configFolder(shell)
  requireRights(folder, 0o022)
  const config = readKept(join(folder, 'config.json'), 0o022)
  const tokens = readKept(join(folder, 'tokens.json'), 0o077)
  return {
    profiles: (config['profiles'] ?? {}) as KeptSignIns['profiles'],
    tokens: (tokens['tokens'] ?? {}) as KeptSignIns['tokens'],
  }
}

/** Looks at the lock (chosen): its holder writes two short files. */
const lockLooks = 500

/** Changes profiles and tokens under a lock, so that concurrent sign-ins are all kept. */
export async function changeSignIns(
  shell: Pick<Shell, 'environment'>,
  change: (kept: KeptSignIns) => KeptSignIns,
): Promise<void> {
  const folder = configFolder(shell)
  await withLock(join(folder, 'lock'), lockLooks, 'Another command signs in or out', async () => {
    const { profiles, tokens } = change(readSignIns(shell))
    writePrivately(join(folder, 'config.json'), `${JSON.stringify({ profiles }, null, 2)}\n`)
    writePrivately(join(folder, 'tokens.json'), `${JSON.stringify({ tokens }, null, 2)}\n`)
  })
}

/** Refuses a file or folder on which others have any of these rights. */
function requireRights(path: string, forbidden: number): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (isWindows || !stats || (stats.mode & forbidden) === 0) return
  const others = forbidden === 0o077 ? 'read' : 'write'
  throw untried(`Others may ${others} ${path}: chmod go-${forbidden === 0o077 ? 'rwx' : 'w'} ${path}`)
}

function readKept(path: string, forbidden: number): Record<string, unknown> {
  requireRights(path, forbidden)
  const value = parseJson(readText(path) ?? '{}')
  if (isObject(value) && Object.values(value).every(isObject)) return value
  throw untried(`${path} is not what cartulary login writes; mend it or remove it.`)
}
