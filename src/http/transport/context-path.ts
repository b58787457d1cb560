/**
 * The path of `PUBLIC_URL`, below which everything is served; without a slash at its end, and empty for a server at the root.
 */
export function contextPathOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '')
}

/** Beginnings of the paths of this server, below the context path. */
const own = [
  'sharing/+[^/?]+',
  '\\.well-known',
  'portaladmin',
  'openapi\\.json',
  'api',
  'health/+(?:live|ready)',
  'metrics',
  'directory',
  'oidc',
]

/** First segments, in lower case, of paths that no screen of the application may have. */
export const ownSegments: readonly string[] = [
  'sharing',
  '.well-known',
  'portaladmin',
  'openapi.json',
  'api',
  'health',
  'metrics',
  'directory',
  'oidc',
  'home',
  'docs',
  'assets',
  'picker',
]

/** Whether a path, in lower case, is of the server itself or below such a one, with or without the context path; the documentation is for people, as screens are. */
export function isOwnPath(contextPath: string, path: string): boolean {
  const context = contextPath.toLowerCase()
  const below = path.startsWith(`${context}/`) ? path.slice(context.length) : path
  const segment = below.split('/')[1] ?? ''
  return segment !== 'docs' && ownSegments.includes(segment)
}

/**
 * Rewrites the URL of a request to the path at which it is served. Repeated slashes and the case of letters do not matter.
 *
 * - Everything is served without the context path too (chosen): a proxy may remove it, and probes need not know it. A path
 *   that has it keeps it: with the context `/health`, `/health/health/live` and `/health/live` are the same. The context
 *   path itself is no screen of its name.
 * - The administration API of the public portal lies beside `/sharing` (documented). Here its operations are below the base
 *   like all others.
 * - Everything below `/sharing/rest` is below `/sharing` too, where programs ask for it (observed).
 */
export function rewriteToContext(
  publicUrl: string | undefined,
  ofApplication: readonly string[] = [],
): (url: string) => string {
  const context = contextPathOf(publicUrl)
  const before = context.split('/').slice(1).map(RegExp.escape)
  const begins = (...segments: readonly string[]) => new RegExp(`^${['', ...segments].join('/+')}(?=[/?]|$)`, 'i')
  const any = (words: readonly string[]) => `(?:${words.join('|')})`
  const pages = ofApplication.map(RegExp.escape)
  const withContext = begins(...before, any([...own, ...pages]))
  const withoutContext = begins(any(own))
  const pageWithoutContext = begins(any(pages))
  const root = new RegExp(`${begins(...before).source}/*(?:\\?|$)`, 'i')
  const isPage = (url: string) => pages.length > 0 && pageWithoutContext.test(url) && !root.test(url)
  const administration = begins(...before, 'portaladmin')
  const withoutRest = new RegExp(`${begins(...before, 'sharing').source}/+(?=[^/?])(?!rest(?:[/?]|$))`, 'i')
  const isOutside = (url: string) =>
    context !== '' && !withContext.test(url) && (withoutContext.test(url) || isPage(url))
  return (url) =>
    (isOutside(url) ? context + url : url)
      .replace(administration, `${context}/sharing/rest/portaladmin`)
      .replace(withoutRest, `${context}/sharing/rest/`)
}
