import { adminPassword, formEncode, type TestPortal } from './portal.ts'

export interface Attempt {
  readonly username?: string
  readonly password?: string
  readonly address?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A sign-in from an address, by default with a wrong password. */
export async function signIn(portal: TestPortal, attempt: Attempt = {}) {
  const { username = 'admin', password = 'wrong password', address = '192.0.2.1', headers = {} } = attempt
  const response = await portal.server.app.inject({
    method: 'POST',
    url: `${portal.base}/generateToken`,
    remoteAddress: address,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: formEncode({ username, password }),
  })
  return { status: response.statusCode, retryAfter: response.headers['retry-after'], body: response.json() }
}

export async function failTimes(portal: TestPortal, times: number, attempt: Attempt = {}): Promise<void> {
  for (let time = 0; time < times; time += 1) await signIn(portal, attempt)
}

/** Outcome of a sign-in with the right password: a token, or the code of the error. */
export async function outcomeOf(portal: TestPortal, attempt: Attempt = {}): Promise<'signed in' | number> {
  const { body } = await signIn(portal, { password: adminPassword, ...attempt })
  return body.token === undefined ? body.error.code : 'signed in'
}
