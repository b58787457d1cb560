import { join } from 'node:path'
import type { Call } from '../command-line/run.ts'
import type { Connection } from '../network/connection.ts'
import { describeKind, type PortalFacts, readFacts } from '../network/facts.ts'
import type { Shell } from '../shell.ts'
import { stateFolder } from '../sign-in/kept-files.ts'
import { findTarget, openSignedIn } from '../sign-in/target.ts'
import { findPlace, type Place } from './place.ts'
import type { Portal } from './portal.ts'

export interface OpenPortal {
  readonly portal: Portal
  readonly facts: PortalFacts
  /** The place of this name: `org`, `group:<id>` or `group:<title>`. */
  find(owner: string): Promise<Place>
}

/** Extensions that changes are made by; a Cartulary without them is spoken to as ArcGIS is. */
const needed = ['plan', 'moves', 'versions']

export async function openPortal(call: Call): Promise<OpenPortal> {
  const connection = openSignedIn(call, findTarget(call))
  const facts = await readFacts(connection)
  const portal = await portalOf(call, connection, facts)
  return { portal, facts, find: (owner) => findPlace(connection, facts, owner) }
}

async function portalOf(call: Call, connection: Connection, facts: PortalFacts): Promise<Portal> {
  if (facts.kind === 'cartulary' && needed.every((name) => facts.extensions.includes(name))) {
    const { CartularyPortal } = await import('./cartulary.ts')
    return new CartularyPortal(connection, facts)
  }
  if (facts.kind === 'cartulary') {
    call.say(`${describeKind(facts)} lacks extensions for plans; it is spoken to as ArcGIS is.`)
  }
  const { ArcgisPortal } = await import('./arcgis/arcgis-portal.ts')
  const folder = portalFolder(call.shell, { ...facts, url: connection.url })
  return new ArcgisPortal({ connection, facts, folder, say: call.say, now: Date.now })
}

/** Folder of journals and snapshots of a portal. All installations of ArcGIS Enterprise have the same id: the address distinguishes them. */
export function portalFolder(
  shell: Pick<Shell, 'environment'>,
  { kind, portalId, url }: Pick<Portal, 'kind' | 'portalId' | 'url'>,
): string {
  const { host, pathname } = new URL(url)
  const name = `${portalId}-${`${host}${pathname}`.replaceAll(/[^\w.-]+/g, '-').replace(/-$/, '')}`
  return join(stateFolder(shell), kind === 'cartulary' ? kind : 'arcgis', name)
}
