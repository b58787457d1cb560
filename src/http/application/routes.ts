import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loopbackHosts } from '../../oauth/apps/redirect-uri.ts'
import { isNamed } from '../answer.ts'
import { findFormat } from '../decoding/accept.ts'
import { type Application, type Body, type BuiltFile, bodyOf, encodings, fileOf } from './application.ts'

interface Places {
  /** Path of the server, without a slash at the end. */
  readonly contextPath: string
  /** Path of the first of the directory pages. */
  readonly directory: string
  publicUrl(): string
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => unknown

/** Sends a browser at an unknown address the page of the application, which reports that; undefined for other clients. */
export type SendNoScreen = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/**
 * Routes that browsers load: the page of the application at the root and below its screens, its assets, the picker, and the
 * documentation. Without the application, and for clients that want no HTML, the root redirects to the directory.
 */
export function registerApplication(
  app: FastifyInstance,
  application: Application | undefined,
  places: Places,
): SendNoScreen {
  const { contextPath, directory } = places
  const redirect: Handle = (_request, reply) => reply.redirect(directory)
  // Both with and without the context path: a proxy may remove it.
  const roots = new Set(['/', `${contextPath}/`])
  const home = application ? `${contextPath}/` : directory
  redirectWords(app, places, { home, sharing: directory, ...(!application && { docs: directory }) })
  if (!application) {
    for (const url of roots) app.get(url, redirect)
    return () => undefined
  }
  const body = bodyOf(Buffer.from(withBase(application.page, `${contextPath}/`)))
  registerPage(app, application, { ...places, body, roots, redirect })
  serveFiles(app, `${contextPath}/assets`, application.assets, { operation: 'asset', headers: headersOfAssets })
  serveFiles(app, `${contextPath}/picker`, application.picker, { operation: 'picker', headers: headersOfPicker })
  const { 'content-type': contentType, ...headers } = headersOfPage
  for (const [address, text] of application.documents) {
    const make = () => withBase(text, `${contextPath}/`)
    serveText(app, `${contextPath}/${address}`, { contentType, headers }, make)
  }
  return (request, reply) => {
    if (request.method !== 'GET' || findFormat(undefined, request.headers.accept) !== 'html') return undefined
    const headers = { ...headersOfPage, 'cache-control': 'no-store', vary: 'Origin, Accept' }
    return reply.headers(headers).send(body.bytes)
  }
}

/** Redirects browsers from paths that users guess, such as /home; other clients are answered as for an unknown path. */
function redirectWords(app: FastifyInstance, { contextPath }: Places, words: Readonly<Record<string, string>>): void {
  for (const [word, target] of Object.entries(words)) {
    app.get(`${contextPath}/${word}`, (request, reply) => {
      if (findFormat(undefined, request.headers.accept) === 'html') return reply.redirect(target)
      return reply.callNotFound()
    })
  }
}

interface PageOfRoots {
  readonly body: Body
  readonly roots: Iterable<string>
  /** Answer to clients that want no HTML. */
  readonly redirect: Handle
}

function registerPage(
  app: FastifyInstance,
  { screens }: Application,
  { contextPath, publicUrl, body, roots, redirect }: Places & PageOfRoots,
): void {
  const notFound: Handle = (_request, reply) => reply.callNotFound()

  /** The page for browsers; for other clients, what `otherwise` answers. */
  function addRoute(url: string, otherwise: Handle): void {
    const config = { isProbe: true, operation: 'application' } as const
    app.route({
      method: 'GET',
      url,
      config,
      handler(request, reply) {
        reply.header('vary', 'Origin, Accept')
        if (findFormat(undefined, request.headers.accept) !== 'html') return otherwise(request, reply)
        const named = findNamed(request, publicUrl())
        if (named !== undefined) return reply.redirect(named)
        return send(request, reply.headers(headersOfPage), body)
      },
    })
  }

  for (const url of roots) addRoute(url, redirect)
  for (const screen of screens) {
    for (const url of [`${contextPath}/${screen}`, `${contextPath}/${screen}/*`]) addRoute(url, notFound)
  }
}

/**
 * Address of the request with the host name of PUBLIC_URL, if a browser on the server's machine uses another loopback name
 * (chosen): signing in ends at PUBLIC_URL alone, and each name has sessions of its own.
 */
function findNamed({ headers: { host }, originalUrl }: FastifyRequest, publicUrl: string): string | undefined {
  const named = new URL(publicUrl)
  const given = URL.parse(`http://${host}`)
  const isOther = given && given.hostname !== named.hostname && given.port === named.port
  if (!isOther || !loopbackHosts.has(given.hostname) || !loopbackHosts.has(named.hostname)) return undefined
  return `${named.origin}${originalUrl}`
}

const ownBase = '<base href="/">'

/** The page with its address: what it loads, and its links, are relative to that. */
function withBase(page: string, root: string): string {
  if (page.split(ownBase).length !== 2) throw new Error(`The page of the application has to have ${ownBase} once.`)
  // The setting allows no character in the path that has a meaning here.
  return page.replace(ownBase, `<base href="${root}">`)
}

interface Served {
  /** Name in the log and in metrics, one for all files. */
  readonly operation: string
  readonly headers: Readonly<Record<string, string>>
}

function serveFiles(
  app: FastifyInstance,
  folder: string,
  files: Application['assets'],
  { operation, headers }: Served,
): void {
  const config = { cors: false, isProbe: true, operation } as const
  app.route<{ Params: { readonly name: string } }>({
    method: 'GET',
    url: `${folder}/:name`,
    config,
    handler(request, reply) {
      const file = files.get(request.params.name)
      return file ? sendFile(request, reply.headers(headers), file) : reply.callNotFound()
    },
  })
}

/** Serves a text that is made when it is asked for first. */
export function serveText(
  app: FastifyInstance,
  url: string,
  { contentType, headers = {} }: { readonly contentType: string; readonly headers?: Served['headers'] },
  make: () => string,
): void {
  let file: BuiltFile | undefined
  app.route({
    method: 'GET',
    url,
    handler(request, reply) {
      file ??= fileOf(contentType, make())
      return sendFile(request, reply.headers(headers), file)
    },
  })
}

function sendFile(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { contentType, bodies }: BuiltFile,
): FastifyReply {
  const accepted = acceptedEncodings(headers['accept-encoding'])
  const encoding = encodings.find((known) => bodies[known] && accepted.has(known))
  const before = reply.getHeader('vary')
  if (Object.keys(bodies).length > 1) reply.header('vary', before ? `${before}, Accept-Encoding` : 'Accept-Encoding')
  if (encoding) reply.header('content-encoding', encoding)
  return send({ headers }, reply.header('content-type', contentType), bodies[encoding ?? 'identity']!)
}

function send({ headers }: Pick<FastifyRequest, 'headers'>, reply: FastifyReply, { bytes, tag }: Body): FastifyReply {
  reply.header('etag', tag)
  if (!isNamed(tag, headers['if-none-match'])) return reply.send(bytes)
  return reply.code(304).removeHeader('content-encoding').removeHeader('content-type').send()
}

/** Encodings that the header names with a weight above zero; a wildcard names none. */
function acceptedEncodings(header: string | readonly string[] | undefined): ReadonlySet<string> {
  const accepted = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim()))
    .filter(([, weight]) => weight === undefined || !/^q=0(\.0*)?$/.test(weight))
  return new Set(accepted.map(([name]) => name!))
}

/** Blocks other origins and inline code; only the named policies may turn text into markup or script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html cartulary',
].join('; ')

const headersOfPage = {
  'cache-control': 'no-cache',
  'content-security-policy': policy,
  'content-type': 'text/html; charset=utf-8',
  // A sign-in in a window of its own passes its answer on without an opener.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  // Same value as for the pages of sign-in, to which it redirects.
  'referrer-policy': 'same-origin',
}

/** The name of an asset changes with its content, so it is never asked for again. */
const headersOfAssets = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
}

/** Headers for pages of any origin, even those that may not call the API. Its name is fixed, so caches keep it for an hour only. */
const headersOfPicker = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
}
