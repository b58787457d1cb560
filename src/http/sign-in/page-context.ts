import type { FastifyRequest } from 'fastify'
import type { Invocation } from '../../operations/command.ts'
import { readValues } from '../endpoints/parameter-values.ts'
import { findCrossSiteOrigin } from '../request/cross-site.ts'
import type { RequestParameters } from '../request/request-parameters.ts'
import { openRunning, type Running, type ServerContext } from '../running.ts'
import { identify } from '../transport/request-log.ts'
import type { PageRow, Visit } from './page-row.ts'
import type { PageCookies } from './session-cookie.ts'

/** What a page of sign-in gets. */
export interface PageContext extends Pick<Running, 'recordRefusal'> {
  readonly visit: Visit
  /** The user as whom the request signed in. */
  signedInAs(): string | undefined
}

/** What the browser of a page has: where the server is for it, and the token of its cookie. */
export interface Browser {
  readonly contextPath: string
  readonly session: string | undefined
  readonly cookies: PageCookies
}

/** Parses the parameters of a page of sign-in: no token counts there, and its cookie only there. */
export function openPageContext(
  row: PageRow,
  request: FastifyRequest,
  requestParameters: RequestParameters,
  server: ServerContext,
  { contextPath, session, cookies }: Browser,
): PageContext {
  const { headers, ip, method } = request
  const { dependencies, publicUrl, settings } = server
  const input = readValues(row.parameters, requestParameters)
  const invocation: Invocation = { tokenHash: undefined, now: dependencies.now(), problems: [] }
  const running = openRunning({ ...row, token: 'none' }, request, requestParameters, invocation, server)
  let signedIn: string | undefined
  const visit: Visit = {
    method: method as Visit['method'],
    input,
    requestParameters,
    dependencies,
    settings,
    now: invocation.now,
    publicUrl,
    contextPath,
    address: ip,
    agent: headers['user-agent'] ?? '',
    isBrowser: headers['sec-fetch-site'] !== undefined,
    findCrossSiteOrigin: () => findCrossSiteOrigin(headers, publicUrl, undefined),
    sessionHash: session === undefined ? undefined : dependencies.random.hashToken(session),
    cookies,
    reference: request.id,
    warn: (cause) => request.log.warn({ ...identify(request), cause }, 'sign-in through the identity provider failed'),
    read: running.read,
    noteSignIn(username) {
      signedIn = username
    },
    run: running.write as Visit['run'],
  }
  return { visit, signedInAs: () => signedIn, recordRefusal: running.recordRefusal }
}
