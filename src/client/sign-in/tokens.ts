import { untried } from '../failure.ts'
import type { Answer, Connection } from '../network/connection.ts'
import type { Profile } from './kept-files.ts'

/** A token that a portal issued. */
export interface Issued {
  readonly token: string
  /** Epoch milliseconds; null where the portal does not say it. */
  readonly expires: number | null
}

/** Minutes of a token for a password: two weeks, or the most that the portal gives (chosen). */
const expiration = 14 * 24 * 60

/** A token for a password. ArcGIS binds it to the referer, which goes with each request. */
export async function signIn(connection: Connection, username: string, password: string): Promise<Issued> {
  const parameters = { username, password, client: 'referer', referer: connection.url, expiration }
  return issuedOf(await tried(connection.call('/generateToken', parameters, { isWrite: true, isAnonymous: true })))
}

/** A token of an app of its own; the secret goes in the body. */
export async function registeredToken(connection: Connection, clientId: string, secret: string): Promise<Issued> {
  const parameters = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  return issuedOf(await tried(connection.call('/oauth2/token', parameters, { isWrite: true, isAnonymous: true })))
}

/** A token for the code of a sign-in with a browser. */
export async function codeToken(connection: Connection, parameters: Readonly<Record<string, string>>): Promise<Issued> {
  const given = { grant_type: 'authorization_code', ...parameters }
  return issuedOf(await tried(connection.call('/oauth2/token', given, { isWrite: true, isAnonymous: true })))
}

/** A wrong password or secret is a command that could not be tried. */
async function tried(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw untried(error.message, 'details' in error ? (error.details as readonly string[]) : [])
  }
}

function issuedOf(answer: Answer): Issued {
  const { token = answer['access_token'], expires, expires_in: seconds } = answer
  if (typeof token !== 'string' || token === '') throw untried('The portal answers without a token.')
  if (typeof expires === 'number') return { token, expires }
  return { token, expires: typeof seconds === 'number' ? Date.now() + seconds * 1_000 : null }
}

/** A token by the password that the profile's program prints. */
export async function passwordToken(connection: Connection, profile: Profile): Promise<string> {
  const { credentialCommand, username } = profile
  if (!Array.isArray(credentialCommand) || !credentialCommand.every((word) => typeof word === 'string')) {
    throw untried('credentialCommand in config.json has to be a list of words.')
  }
  if (username === undefined) throw untried('credentialCommand needs username in the profile.')
  const password = (await printed(credentialCommand)).replace(/\r?\n$/, '')
  if (password === '') throw untried(`${credentialCommand[0]} prints no password.`)
  return (await signIn(connection, username, password)).token
}

/** Output of a program that is run without a shell. */
async function printed([program, ...words]: readonly string[]): Promise<string> {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve, reject) => {
    const child = spawn(program!, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    child.on('error', () => reject(untried(`${program} of credentialCommand cannot be run.`)))
    child.on('close', (code) =>
      code === 0 ? resolve(text) : reject(untried(`${program} of credentialCommand ends with code ${code}.`)),
    )
  })
}
