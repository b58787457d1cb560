/** Names of variables that are settings misspelt. */
import { findNearest, withHint } from '../spelling.ts'

/** How our names begin: an unknown name that begins so is a misspelling. */
const ours =
  /^(ADMIN_(USE|PAS)|ALLOWED_ORIGIN|APPLICATION_RET|AUDIT_RET|BACKUP_(DI|EV|KE)|CARTULARY_|DELETED_GROUP|DATABASE_(UR|CONN)|HTTP_ERROR|LIMIT_|MAIL_(SER|FRO|PAS|OPE)|MAX_(TOKEN|REFRESH_TOKEN)|METRICS?_(HO|PO)|ORGANIZATION_NAME|PREVIOUS_SECRET|PUBLIC_UR|RATE_LIMIT|SECRET_KEY|TLS_(CERT|KEY)|TRUST_PROX)/

/** Variables that Kubernetes and Docker make for every service, such as CARTULARY_PORT=tcp://10.0.0.1:80. */
const serviceLink = /_SERVICE_(HOST|PORT)(_\w+)?$|_PORT(_\d+_(TCP|UDP)(_\w+)?)?$/

/** Names of the commands for any portal, which no server reads. */
const ofClient = /^CARTULARY_(URL|TOKEN|PROFILE|CLIENT_ID|CLIENT_SECRET|PAIR_TOKEN)$/

/** Shortest name, in characters, of which one wrong letter is a misspelling and not the name of something else. */
const longName = 8

/**
 * Whether a variable of the environment, which has no setting's name, is a setting misspelt (chosen): it begins like ours,
 * or is one letter from one of ours; of short names, such as PORT, only two exchanged letters count, as SORT and POST may
 * belong to others.
 */
export function isMisspelt(name: string, value: string | undefined, settings: ReadonlySet<string>): boolean {
  if (serviceLink.test(name) && /^(tcp|udp):|^[\d.]+$/.test(value ?? '')) return false
  if (ofClient.test(name)) return false
  if (ours.test(name)) return true
  const nearest = findNearest(name, settings, 1)
  return nearest !== undefined && (nearest.length >= longName || hasSameLetters(name, nearest))
}

function hasSameLetters(one: string, other: string): boolean {
  return one !== other && [...one].sort().join('') === [...other].sort().join('')
}

/** The sentence about a name that no setting has. */
export function formatUnknownSetting(name: string, settings: ReadonlySet<string>): string {
  return withHint(`There is no setting ${name}`, findNearest(name, settings))
}
