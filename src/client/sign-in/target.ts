import { setTimeout as wait } from 'node:timers/promises'
import { type Call, numberOf } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { readContent } from '../files/file.ts'
import { readRepository } from '../files/repository.ts'
import { Connection, type ConnectionSettings } from '../network/connection.ts'
import { Transport } from '../network/transport.ts'
import { type KeptToken, type Profile, readSignIns } from './kept-files.ts'
import { passwordToken, registeredToken } from './tokens.ts'

/** The portal that a command is for, and the token that goes there. */
export interface Target {
  /** Name of the profile in effect, even where it is not kept yet. */
  readonly name: string
  readonly profile: Profile | undefined
  /** The address that is given, or that of the profile; undefined for none. */
  readonly url: string | undefined
  readonly kept: KeptToken | undefined
}

/** Address of a portal without what stands behind it for the API or its pages; `https://host/portal` for a web adaptor. */
export function parseAddress(text: string): string {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    // Text before an @ may be a password.
    throw untried(`${text.replace(/\/\/.*@/, '//…@')} is not the address of a portal: https://… is needed.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw untried(`The address of ${url.host} has a name or password in it: cartulary login asks for them.`)
  }
  const path = url.pathname.replace(/\/(?:sharing|home|apps)(?:\/.*)?$/, '').replace(/\/+$/, '')
  return url.origin + path
}

/** The first that is given: an option, the environment, `cartulary.json`, the profile `default`. */
export function findProfile(call: Call): Target {
  const { environment } = call.shell
  const { profiles, tokens } = readSignIns(call.shell)
  const name = profileOf(call) ?? 'default'
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  const byEnvironment = call.text('profile') === undefined ? environment['CARTULARY_URL'] : undefined
  const given = call.text('url') ?? byEnvironment ?? profile?.url
  const url = given === undefined ? undefined : parseAddress(given)
  const kept = Object.hasOwn(tokens, name) ? tokens[name] : undefined
  // A token goes to the origin where it was obtained, and nowhere else.
  const isOwn = kept !== undefined && url !== undefined && new URL(kept.url).origin === new URL(url).origin
  return { name, profile, url, kept: isOwn ? kept : undefined }
}

function profileOf({ shell, text }: Call): string | undefined {
  return text('profile') ?? shell.environment['CARTULARY_PROFILE'] ?? readRepository(shell)?.profile
}

export function findTarget(call: Call): Target & { readonly url: string } {
  const { url, ...found } = findProfile(call)
  if (url !== undefined) return { ...found, url }
  const known = Object.keys(readSignIns(call.shell).profiles)
  const those = known.length > 0 ? ` There are the profiles ${known.join(', ')}.` : ''
  if (profileOf(call) !== undefined) throw untried(`There is no profile ${found.name}.${those}`)
  throw untried(`No portal is given: cartulary login --url <address>, or --url, or --profile.${those}`)
}

type Signing = Pick<ConnectionSettings, 'token' | 'renew'>

export function openAnonymously(call: Call, url: string, sign: Signing = {}): Connection {
  const { shell } = call
  const transport = new Transport({
    environment: shell.environment,
    signal: shell.signal,
    timeoutSeconds: numberOf(call, 'timeout', [1, 600, 30]),
    readCa: () => readCertificates(call),
  })
  return new Connection({
    url,
    transport,
    wait: shell.wait ?? ((milliseconds) => wait(milliseconds, undefined, { signal: shell.signal })),
    retries: numberOf(call, 'retries', [0, 3, 3]),
    interval: call.text('rate') === undefined ? 0 : 1_000 / numberOf(call, 'rate', [1, 5, 5]),
    log: call.has('verbose') ? call.say : undefined,
    ...sign,
  })
}

/** A connection with the sign-in that is in effect; without one, exit code 2. */
export function openSignedIn(call: Call, target: ReturnType<typeof findTarget>): Connection {
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

/** Certificates of commands: a pipe can be read only once, and a command may open several connections. */
const certificates = new WeakMap<Call, Promise<Buffer | undefined>>()

async function readCertificates(call: Call): Promise<string | undefined> {
  const path = call.text('ca')
  if (path === undefined) return undefined
  if (!certificates.has(call)) certificates.set(call, readContent(path, `--ca: ${path}`))
  const text = (await certificates.get(call))?.toString()
  if (text?.includes('-----BEGIN CERTIFICATE-----')) return text
  throw untried(`--ca: ${path} has no certificate (PEM).`)
}
