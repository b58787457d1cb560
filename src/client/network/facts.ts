import { isObject } from '../../json-text.ts'
import { untried } from '../failure.ts'
import type { Answer, Connection, Parameters } from './connection.ts'

export type PortalKind = 'cartulary' | 'online' | 'enterprise'

/** Description that a portal gives of itself and of the caller. */
export interface PortalFacts {
  readonly kind: PortalKind
  readonly version: string
  /** Names of the extensions of a Cartulary. */
  readonly extensions: readonly string[]
  readonly portalId: string
  readonly name: string
  readonly user: { readonly username: string; readonly role: string } | null
  /** Title of the app whose own token it is. */
  readonly app: string | undefined
  readonly privileges: readonly string[]
}

/**
 * Asks a portal what it is, by requests that any portal knows. `/info` comes first and without a token: no extension is sent
 * before its answer says that this is a Cartulary.
 */
export async function readFacts(connection: Connection): Promise<PortalFacts> {
  const info = await connection.call('/info', {}, { isAnonymous: true })
  const self = await connection.call('/portals/self')
  const { cartulary } = info
  const { id, name, isPortal, currentVersion, appInfo } = self
  if (!isId(id)) throw untried(`${connection.url} does not answer as a portal does: no organization.`)
  const user = isObject(self['user']) ? self['user'] : undefined
  const app = isObject(appInfo) ? appInfo : undefined
  const common = {
    portalId: id,
    name: textOf(name),
    user: user ? { username: textOf(user['username']), role: textOf(user['role']) } : null,
    app: app && textOf(app['appTitle'] ?? app['appId']),
    privileges: textsOf((user ?? app)?.['privileges']),
  }
  if (isObject(cartulary)) {
    const { version, extensions } = cartulary
    return { ...common, kind: 'cartulary', version: textOf(version), extensions: textsOf(extensions) }
  }
  const kind = isPortal === true ? 'enterprise' : 'online'
  return { ...common, kind, version: textOf(currentVersion ?? info['currentVersion']), extensions: [] }
}

/** Whether it can be an id: ids become parts of addresses, and names of files on this machine. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]+$/.test(value)
}

export function describeKind({ kind, version }: Pick<PortalFacts, 'kind' | 'version'>): string {
  const names = { cartulary: 'Cartulary', online: 'ArcGIS Online', enterprise: 'ArcGIS Enterprise' }
  return `${names[kind]} ${version}`
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

export function objectsOf(answer: Answer, member: string): readonly Record<string, unknown>[] {
  const list = answer[member]
  if (!Array.isArray(list)) throw untried(`The portal answers without the list ${member}.`)
  return list.filter(isObject)
}

/** The first page of a list whose pages are asked for by documented parameters. */
const firstPage: Parameters = { start: 1, num: 100 }

/** The objects of a list of the portal, of all its pages; `first` has what is sent for the first one, `{}` nothing. */
export async function listAll(connection: Connection, path: string, member: string, given = {}, first = firstPage) {
  const found: Record<string, unknown>[] = []
  for (let page = first; ; ) {
    const answer = await connection.call(path, { ...given, ...page })
    found.push(...objectsOf(answer, member))
    const next = Number(answer['nextStart'] ?? -1)
    if (!(next > Number(page['start'] ?? 1))) return found
    page = { ...page, start: next }
  }
}
