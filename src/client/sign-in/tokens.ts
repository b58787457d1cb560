import { CommandError, untried } from '../failure.ts'
import type { Connection, Parameters } from '../network/connection.ts'
import type { Issued, Profile } from './kept-files.ts'

/** Minutes of a token for a password: two weeks, or the most that the portal gives (chosen). */
const expiration = 14 * 24 * 60

/** A token for a password. ArcGIS binds it to the referer, which goes with each request. */
export function signIn(connection: Connection, username: string, password: string): Promise<Issued> {
  const parameters = { username, password, client: 'referer', referer: connection.url, expiration }
  return issueToken(connection, '/generateToken', parameters)
}

/** A token of an app of its own; the secret goes in the body. */
export function registeredToken(connection: Connection, clientId: string, secret: string): Promise<Issued> {
  const parameters = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  return issueToken(connection, '/oauth2/token', parameters)
}

/** The token that the portal answers; a wrong password or secret is a command that could not be tried. */
export async function issueToken(connection: Connection, path: string, parameters: Parameters): Promise<Issued> {
  const answer = await connection.call(path, parameters, { isWrite: true, isAnonymous: true }).catch((error) => {
    throw error instanceof CommandError ? new CommandError(2, error.message, error) : error
  })
  const { token = answer['access_token'], expires, expires_in: seconds } = answer
  if (typeof token !== 'string' || token === '') throw untried('The portal answers without a token.')
  if (typeof expires === 'number') return { token, expires }
  return { token, expires: typeof seconds === 'number' ? Date.now() + seconds * 1_000 : null }
}

/** A token by the password that the profile's program, which is run without a shell, prints. */
export async function passwordToken(connection: Connection, profile: Profile): Promise<string> {
  const { credentialCommand, username } = profile
  if (!Array.isArray(credentialCommand) || !credentialCommand.every((word) => typeof word === 'string')) {
    throw untried('credentialCommand in config.json has to be a list of words.')
  }
  if (username === undefined) throw untried('credentialCommand needs username in the profile.')
  const { spawnSync } = await import('node:child_process')
  const [program, ...words] = credentialCommand
  const { error, status, stdout } = spawnSync(program!, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  if (error) throw untried(`${program} of credentialCommand cannot be run.`)
  if (status !== 0) throw untried(`${program} of credentialCommand ends with code ${status}.`)
  const password = stdout.toString().replace(/\r?\n$/, '')
  if (password === '') throw untried(`${program} prints no password.`)
  return (await signIn(connection, username, password)).token
}
