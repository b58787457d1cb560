import { type Kysely, sql } from 'kysely'
import { cascade, clustered, table } from './create-table.ts'

/** A URL at which an organization has worked with another portal, whose key it knows. */
interface Place {
  readonly portal_id: string
  readonly url: string
  readonly signer_portal_id: string
  /** PostgreSQL gives large integers as text. */
  readonly known_since: number | string
}

interface Known {
  readonly portalId: string
  readonly address: string
  readonly signerPortalId: string
  readonly since: number
}

/** Maximum rows of one statement. */
const maxRows = 200

/**
 * Addresses at which organizations know other portals: those of participations and of guests, where the key of the portal is
 * known as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await clustered(
    db,
    table(db, 'known_addresses', {
      portal_id: 'text',
      address: 'text',
      signer_portal_id: 'text',
      known_since: 'bigint',
    })
      .addPrimaryKeyConstraint('known_addresses_pk', ['portal_id', 'address', 'signer_portal_id'])
      .addForeignKeyConstraint(
        'known_addresses_key',
        ['portal_id', 'signer_portal_id'],
        'known_keys',
        ['portal_id', 'signer_portal_id'],
        cascade,
      ),
  ).execute()
  const { rows } = await sql<Place>`select place.portal_id, place.url, place.signer_portal_id, place.known_since
    from (
      select portal_id, host_portal_url as url, host_portal_id as signer_portal_id, created_at as known_since
        from participations
      union all
      select collaborations.host_portal_id, participants.portal_url, participants.portal_id, participants.created_at
        from participants join collaborations on collaborations.collaboration_id = participants.collaboration_id
        where participants.role = 'Guest'
    ) as place
    join known_keys on known_keys.portal_id = place.portal_id
      and known_keys.signer_portal_id = place.signer_portal_id`.execute(db)
  const known = earliestOf(rows)
  for (let start = 0; start < known.length; start += maxRows) {
    const values = known
      .slice(start, start + maxRows)
      .map(
        ({ portalId, address, signerPortalId, since }) => sql`(${portalId}, ${address}, ${signerPortalId}, ${since})`,
      )
    await sql`insert into known_addresses (portal_id, address, signer_portal_id, known_since)
      values ${sql.join(values)}`.execute(db)
  }
}

/** Distinct portals and addresses, each with the earliest time. */
function earliestOf(places: readonly Place[]): readonly Known[] {
  const known = new Map<string, Known>()
  for (const { portal_id: portalId, url, signer_portal_id: signerPortalId, known_since } of places) {
    if (!URL.canParse(url)) continue
    const address = addressOf(url)
    const since = Number(known_since)
    const key = JSON.stringify([portalId, address, signerPortalId])
    const before = known.get(key)
    if (!before || since < before.since) known.set(key, { portalId, address, signerPortalId, since })
  }
  return [...known.values()]
}

/** Address of a URL, in the form that was in use when this table was made. */
function addressOf(portalUrl: string): string {
  const { hostname, port, pathname } = new URL(portalUrl)
  const host = hostname.replace(/\.+$/, '')
  const path = decodePath(pathname).toLowerCase().replace(/\/+/g, '/').replace(/\/$/, '')
  const shownPort = ['', '80', '443'].includes(port) ? '' : `:${port}`
  return `${host}${shownPort}${path.replace(/\/(?:sharing(?:\/rest)?|home(?:\/index\.html)?)$/, '')}`
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
