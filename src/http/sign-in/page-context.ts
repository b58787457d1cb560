import type { Invocation } from '../../operations/command.ts'
import { findCrossSiteOrigin } from '../decoding/cross-site.ts'
import type { RequestParameters } from '../decoding/request-parameters.ts'
import { readValues } from '../endpoints/parameter-values.ts'
import type { ReadRequest } from '../requests/context.ts'
import { OperationRunner, type ServerContext } from '../requests/runner.ts'
import { identify } from '../transport/request-log.ts'
import type { PageRow, Visit } from './page-row.ts'
import type { PageCookies } from './session-cookie.ts'
import type { PageTexts } from './texts.ts'

/** A request of a page of sign-in, as its row gets it. */
export interface PageContext {
  readonly visit: Visit
  readonly runner: OperationRunner
}

/** Browser of a page: where the server is for it, the token of its cookie, and its language. */
export interface Browser {
  readonly texts: PageTexts
  readonly contextPath: string
  readonly session: string | undefined
  readonly cookies: PageCookies
}

/** A parameter that is given once, as it was written. */
export function findText(parameters: RequestParameters, name: string): string | undefined {
  const given = parameters.find(name)
  return given && 'text' in given ? given.text : undefined
}

/** Parses the parameters of a page of sign-in: no token counts there, and its cookie only there. */
export function openPageContext(
  row: PageRow,
  read: Omit<ReadRequest, 'token'>,
  server: ServerContext,
  { texts, contextPath, session, cookies }: Browser,
): PageContext {
  const { request, reply, parameters: requestParameters } = read
  const { headers, ip, method } = request
  const { dependencies, settings } = server
  const publicUrl = server.publicUrl()
  const input = readValues(row.parameters, requestParameters)
  const invocation: Invocation = { tokenHash: undefined, now: dependencies.now(), problems: [] }
  const runner = new OperationRunner({ ...row, token: 'none' }, read, invocation, server)
  const visit: Visit = {
    method: method as Visit['method'],
    input,
    requestParameters,
    dependencies,
    settings,
    now: invocation.now,
    publicUrl,
    contextPath,
    texts,
    choosesLanguage: method === 'POST' && findText(requestParameters, 'language') !== undefined,
    address: ip,
    agent: headers['user-agent'] ?? '',
    isBrowser: headers['sec-fetch-site'] !== undefined,
    findCrossSiteOrigin: () => findCrossSiteOrigin(headers, publicUrl, undefined),
    sessionHash: session === undefined ? undefined : dependencies.random.hashToken(session),
    cookies,
    reference: request.id,
    warn: (cause) => request.log.warn({ ...identify(request), cause }, 'sign-in through the identity provider failed'),
    read: runner.read,
    noteSignIn(username) {
      reply.username = username
    },
    run: ((operation, given) => runner.write(operation, given)) as Visit['run'],
  }
  return { visit, runner }
}
