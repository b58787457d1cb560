import { hash, randomBytes } from 'node:crypto'
import type { Answered, Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import type { Connection } from '../network/connection.ts'
import { describeKind, type PortalFacts, readFacts } from '../network/facts.ts'
import { clean, formatTime } from '../output/text.ts'
import { changeSignIns, configFolder, type Issued, type Profile } from './kept-files.ts'
import { findProfile, findTarget, openAnonymously, openSignedIn } from './target.ts'
import { issueToken, signIn } from './tokens.ts'

/** Address by which a browser shows the code of a sign-in instead of going on (documented). */
const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'

export async function login(call: Call): Promise<Answered> {
  const { name, url } = findProfile(call)
  if (url === undefined) throw untried('login needs --url <address>.')
  if (call.has('token-stdin') && call.has('password-stdin')) {
    throw untried('Standard input has one thing: --token-stdin or --password-stdin.')
  }
  const { issued, profile } = await obtain(call, openAnonymously(call, url))
  // A token is tried before it is kept.
  const facts = await readFacts(openAnonymously(call, url, { token: async () => issued.token }))
  if (!facts.user && facts.app === undefined) throw untried(`${url} does not know the token.`)
  await changeSignIns(call.shell, ({ profiles, tokens }) => {
    // Only a person writes this member.
    const { credentialCommand } = profiles[name] ?? {}
    const kept = { url, ...profile, ...(credentialCommand && { credentialCommand }) }
    return { profiles: { ...profiles, [name]: kept }, tokens: { ...tokens, [name]: { url, ...issued } } }
  })
  const described = describeSignIn(facts, url, issued.expires)
  return { ...described, text: `${described.text}\nThe token is in ${configFolder(call.shell)}.` }
}

type Obtained = Readonly<{ issued: Issued; profile: Omit<Profile, 'url'> }>

async function obtain(call: Call, connection: Connection): Promise<Obtained> {
  const clientId = call.text('client-id')
  if (call.has('token-stdin')) {
    return { issued: { token: await readInput(call, 'token'), expires: null }, profile: {} }
  }
  if (clientId !== undefined) return { issued: await byBrowser(call, connection, clientId), profile: { clientId } }
  const username = call.text('username')
  if (username === undefined) throw untried('login needs --username, --client-id or --token-stdin.')
  const password = call.has('password-stdin')
    ? await readInput(call, 'password')
    : await ask(call, `Password of ${username} at ${connection.url}: `, '--password-stdin')
  return { issued: await signIn(connection, username, password), profile: { username } }
}

/** A secret of standard input, without the blanks around it; a password as it is. */
async function readInput({ shell }: Call, what: 'token' | 'password'): Promise<string> {
  const line = (await shell.input?.readLine()) ?? ''
  const secret = what === 'password' ? line.replace(/\r$/, '') : line.trim()
  if (secret === '') throw untried(`Standard input has no ${what}.`)
  return secret
}

async function ask(call: Call, prompt: string, instead: string): Promise<string> {
  const { input } = call.shell
  if (!input?.isTerminal || !input.readSecret || call.has('no-input')) {
    throw untried(`There is no one to ask: give ${instead}.`)
  }
  const typed = await input.readSecret(prompt)
  if (!typed) throw untried('Nothing was typed.')
  return typed
}

/** OAuth with a proof key (RFC 7636): the browser shows a code, which is pasted. */
async function byBrowser(call: Call, connection: Connection, clientId: string): Promise<Issued> {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: outOfBand,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  })
  if (call.has('no-input') || !call.shell.input?.isTerminal) {
    throw untried('A sign-in with a browser needs a person at a terminal.')
  }
  call.say(`Open this address, sign in, and copy the code:\n${connection.url}/sharing/rest/oauth2/authorize?${query}`)
  const code = (await ask(call, 'Code: ', '--token-stdin')).trim()
  const parameters = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: outOfBand, code }
  return issueToken(connection, '/oauth2/token', { ...parameters, code_verifier: verifier })
}

export async function whoami(call: Call): Promise<Answered> {
  const target = findTarget(call)
  const facts = await readFacts(openSignedIn(call, target))
  const isKept = !call.shell.environment['CARTULARY_TOKEN'] && !call.shell.environment['CARTULARY_CLIENT_ID']
  return describeSignIn(facts, target.url, isKept ? (target.kept?.expires ?? null) : null)
}

/** Privileges that the commands may need. */
const ofSchemas = /categor|Categor|updateItems|viewOrgItems/

function describeSignIn(facts: PortalFacts, url: string, expires: number | null): Answered {
  const { kind, version, user, app } = facts
  const privileges = facts.privileges.filter((name) => ofSchemas.test(name))
  const who = user ? `${user.username} (${user.role})` : `the app ${app ?? ''}`
  const until = expires === null ? '' : `, until ${formatTime(expires)}`
  const lines = [`${who} at ${url}${until}`, `${describeKind(facts)}: ${facts.name}`]
  const text = [...lines, ...privileges.map((name) => `  ${name}`)].map(clean).join('\n')
  return { json: { url, kind, version, user, ...(app !== undefined && { app }), privileges, expires }, text }
}

export async function logout(call: Call): Promise<Answered> {
  const { name, kept } = findProfile(call)
  if (!kept) return { json: { success: true }, text: 'No one is signed in.' }
  const { url, token } = kept
  const parameters = { auth_token: token, token_type_hint: 'access_token' }
  const revoked = await openAnonymously(call, url)
    .call('/oauth2/revokeToken', parameters, { isWrite: true, isAnonymous: true })
    .catch(() => undefined)
  await changeSignIns(call.shell, ({ profiles, tokens }) => {
    const { [name]: _, ...others } = tokens
    return { profiles, tokens: others }
  })
  const text = `The token for ${url} is forgotten`
  if (revoked) return { json: { success: true }, text: `${text}, and ends.` }
  call.say(`${text} here, but ${url} could not be asked to end it.`)
  return { json: { success: false }, text: '', exit: 1 }
}
