/** What sign-in to apps costs: the pages, tokens of apps beside those of generateToken, and refreshes beside assigns. */
import { fire, type Outcome } from './load.ts'
import { alternate } from './measures.ts'
import { type Figure, figureOf, NotMeasured, type Row, type Run } from './result.ts'
import { password, processorTime, residentBytes, type Server, startService } from './servers.ts'
import { assign, smallSchema } from './work.ts'

const root = '/sharing/rest'
const clientId = 'arcgisonline'
const redirectUri = 'urn:ietf:wg:oauth:2.0:oob'
const authorizePath = `${root}/oauth2/authorize?${new URLSearchParams({
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: 'code',
})}`

interface AppTokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** Signs the administrator in to the built-in app, as a program does that keeps no cookies. */
async function signInToApp({ port }: Server): Promise<AppTokens> {
  const base = `http://127.0.0.1:${port}`
  const post = (path: string, parameters: Readonly<Record<string, string>>) =>
    fetch(`${base}${root}/oauth2/${path}`, { method: 'POST', body: new URLSearchParams(parameters) })
  const page = await (await fetch(`${base}${authorizePath}`)).text()
  const ticket = find(/"oauth_state":"([^"]+)"/, page)
  const signedIn = await (await post('signin', { oauth_state: ticket, username: 'admin', password })).text()
  const code = find(/SUCCESS code=([\w-]+)</, signedIn)
  const own = { client_id: clientId, redirect_uri: redirectUri, grant_type: 'authorization_code', code }
  return (await (await post('token', own)).json()) as AppTokens
}

function find(pattern: RegExp, text: string): string {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`There is no ${pattern} in: ${text.slice(0, 500)}`)
  return found
}

const connections = 32

/** Sends the same few requests again and again. */
function repeat(
  { port }: Server,
  requests: readonly string[],
  milliseconds: number,
  isSuccess: (body: string) => boolean,
  atLeast = 1,
): Promise<Outcome> {
  const buffers = requests.map((request) => Buffer.from(request))
  let turn = 0
  return fire({
    port,
    connections,
    milliseconds,
    atLeast,
    next() {
      turn += 1
      return buffers[turn % buffers.length]!
    },
    isSuccess,
  })
}

const get = (path: string, token?: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}\r\n`

function postForm(path: string, parameters: Readonly<Record<string, string>>): string {
  const body = new URLSearchParams(parameters).toString()
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `\r\n${body}`,
  ].join('\r\n')
}

/**
 * Ratio of the processor time of a user's requests with a token of `generateToken` to that of the same requests with the token of
 * an app. Processor time, as elapsed time depends on what else the machine does.
 */
async function tokenOfApp(run: Run): Promise<Figure> {
  await using service = await startService(1)
  if (processorTime(service) === undefined) throw new NotMeasured('This system does not tell it as Linux does.')
  const { access_token } = await signInToApp(service)
  const self = (token: string, milliseconds: number) =>
    repeat(service, [get(`${root}/community/self?f=json`, token)], milliseconds, (body) => body.includes('"admin"'))
  const costOf = async (token: string) => {
    const before = processorTime(service)!
    const { requests } = await self(token, run.milliseconds)
    return (processorTime(service)! - before) / requests
  }
  await self(access_token, run.warmMilliseconds)
  await self(service.token, run.warmMilliseconds)
  const ratios: number[] = []
  for (let number = 0; number < run.rounds; number += 1) {
    // Each is first in its turn: what comes second may meet a warmer server.
    const isFirst = number % 2 === 0
    const [first, second] = [
      await costOf(isFirst ? access_token : service.token),
      await costOf(isFirst ? service.token : access_token),
    ]
    ratios.push(isFirst ? second / first : first / second)
  }
  return figureOf(ratios)
}

const showPage = (service: Server, milliseconds: number, atLeast?: number) =>
  repeat(service, [get(authorizePath)], milliseconds, (body) => body.includes('oAuthInfo'), atLeast)

/** Milliseconds of processor time for a page of sign-in. */
async function costOfPage(run: Run): Promise<Figure> {
  await using service = await startService(1)
  if (processorTime(service) === undefined) throw new NotMeasured('This system does not tell it as Linux does.')
  await showPage(service, run.warmMilliseconds)
  const costs: number[] = []
  for (let number = 0; number < run.rounds; number += 1) {
    const before = processorTime(service)!
    const { requests } = await showPage(service, run.milliseconds)
    costs.push((processorTime(service)! - before) / requests / 1_000)
  }
  return figureOf(costs)
}

const pages = 10_000

/** MB by which the server has grown after so many pages, once it is warm. */
async function growthByPages({ rounds, warmMilliseconds }: Run): Promise<Figure> {
  await using service = await startService(1)
  if (residentBytes(service) === undefined) throw new NotMeasured('This system does not tell it as Linux does.')
  await showPage(service, warmMilliseconds, pages)
  const growths: number[] = []
  for (let number = 0; number < rounds; number += 1) {
    const before = residentBytes(service)!
    await showPage(service, 0, pages)
    growths.push((residentBytes(service)! - before) / 1e6)
  }
  return figureOf(growths)
}

/** Sign-ins of the administrator that are refreshed in turn. */
const grants = 8

async function refreshAgainstAssign(run: Run): Promise<Figure> {
  await using service = await startService(200)
  const refreshes: string[] = []
  for (let number = 0; number < grants; number += 1) {
    const { refresh_token } = await signInToApp(service)
    refreshes.push(
      postForm(`${root}/oauth2/token`, { client_id: clientId, grant_type: 'refresh_token', refresh_token }),
    )
  }
  const refresh = (milliseconds: number) =>
    repeat(service, refreshes, milliseconds, (body) => body.includes('"access_token"'))
  const assigning = (milliseconds: number) =>
    assign(service, smallSchema, { connections, milliseconds, order: 'in turn' })
  await assigning(run.warmMilliseconds)
  await refresh(run.warmMilliseconds)
  return await alternate(
    run,
    () => refresh(run.milliseconds),
    () => assigning(run.milliseconds),
  )
}

export const signInRows: readonly Row[] = [
  {
    name: 'sign-in: a request with a token of an app',
    goal: 0.95,
    direction: 'at least',
    unit: '× the other',
    isLong: true,
    measure: tokenOfApp,
  },
  {
    name: 'sign-in: server CPU of a page',
    goal: 5,
    direction: 'at most',
    unit: 'ms',
    isLong: true,
    measure: costOfPage,
  },
  {
    name: 'sign-in: refresh of a token',
    goal: 0.5,
    direction: 'at least',
    unit: '× assign',
    isLong: true,
    measure: refreshAgainstAssign,
  },
  {
    name: 'sign-in: growth by 10,000 pages',
    goal: 10,
    direction: 'at most',
    unit: 'MB',
    isLong: true,
    measure: growthByPages,
  },
]
