import { type Call, numberOf } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { readText } from '../files/file.ts'
import { readRepository } from '../files/repository.ts'
import { Connection } from '../network/connection.ts'
import { Transport } from '../network/transport.ts'
import { parseAddress } from './address.ts'
import { type KeptToken, type Profile, readSignIns } from './kept-files.ts'
import { passwordToken, registeredToken } from './tokens.ts'

/** The portal that a command is for, and how it signs in there. */
export interface Target {
  readonly url: string
  /** Name of the profile, even where it is not kept yet. */
  readonly name: string
  readonly profile: Profile | undefined
  readonly kept: KeptToken | undefined
}

/** The first address that is given: an option, the environment, `cartulary.json`, the profile `default`. */
export function findTarget(call: Call): Target {
  const { environment } = call.shell
  const { profiles, tokens } = readSignIns(call.shell)
  const optionUrl = call.text('url')
  const wantedName = call.text('profile')
  const url = optionUrl ?? (wantedName === undefined ? environment['CARTULARY_URL'] : undefined)
  const given = wantedName ?? environment['CARTULARY_PROFILE'] ?? readRepository(call.shell)?.profile
  const name = given ?? 'default'
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (url === undefined && !profile) {
    const known = Object.keys(profiles)
    const those = known.length > 0 ? ` There are the profiles ${known.join(', ')}.` : ''
    if (given !== undefined) throw untried(`There is no profile ${name}.${those}`)
    throw untried(`No portal is given: cartulary login --url <address>, or --url, or --profile.${those}`)
  }
  const address = parseAddress(url ?? profile!.url)
  const kept = Object.hasOwn(tokens, name) ? tokens[name] : undefined
  // A token goes to the origin where it was obtained, and nowhere else.
  const isOwn = kept !== undefined && new URL(kept.url).origin === new URL(address).origin
  return { url: address, name, profile, kept: isOwn ? kept : undefined }
}

/** A connection without a sign-in. */
export function openAnonymously(call: Call, url: string, sign: Pick<Signing, 'token' | 'renew'> = {}): Connection {
  const { shell } = call
  const transport = new Transport({
    environment: shell.environment,
    signal: shell.signal,
    timeoutSeconds: numberOf(call, 'timeout', [1, 600, 30]),
    ca: readCertificates(call.text('ca')),
  })
  const wait = shell.wait ?? ((milliseconds: number) => waitFor(milliseconds, shell.signal))
  return new Connection({
    url,
    transport,
    wait,
    retries: numberOf(call, 'retries', [0, 3, 3]),
    log: call.has('verbose') ? call.say : undefined,
    ...sign,
  })
}

interface Signing {
  token?(): Promise<string | undefined>
  renew?(): Promise<string | undefined>
}

/** A connection with the sign-in that is in effect; without one, exit code 2. */
export function openSignedIn(call: Call, target: Target): Connection {
  const { CARTULARY_TOKEN: token, CARTULARY_CLIENT_ID: id, CARTULARY_CLIENT_SECRET: secret } = call.shell.environment
  if (token) return openAnonymously(call, target.url, { token: async () => token })
  if (id && secret) {
    const own = openAnonymously(call, target.url)
    return openAnonymously(call, target.url, { token: async () => (await registeredToken(own, id, secret)).token })
  }
  const { kept, profile, url } = target
  const signIn = `cartulary login --url ${url}${target.name === 'default' ? '' : ` --profile ${target.name}`}`
  if (!kept && !profile?.credentialCommand) throw untried(`You are not signed in at ${url}: ${signIn}`)
  const isEnded = kept !== undefined && kept.expires !== null && kept.expires <= Date.now()
  const renew = profile?.credentialCommand && (() => passwordToken(openAnonymously(call, url), profile))
  if (isEnded && !renew) throw untried(`The sign-in at ${url} has ended: ${signIn}`)
  return openAnonymously(call, url, {
    token: async () => (kept && !isEnded ? kept.token : renew?.()),
    ...(renew && { renew }),
  })
}

function readCertificates(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const text = readText(path, `--ca: ${path}`)
  if (text?.includes('-----BEGIN CERTIFICATE-----')) return text
  throw untried(`--ca: ${path} has no certificate (PEM).`)
}

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { setTimeout: wait } = await import('node:timers/promises')
  await wait(milliseconds, undefined, { signal })
}
