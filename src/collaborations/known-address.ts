import { field, type Named, type RecordOf } from '../record.ts'
import { parsePortalUrl, rootOfCopied } from './invitation.ts'

export const knownAddressFields = {
  /** The organization that knows it. */
  portalId: field.text(),
  signerPortalId: field.text(),
  /** Address in the form of `addressOf`. */
  address: field.text(),
  knownSince: field.time(),
}

/** An address at which an organization knows another portal, from a file of it that was accepted or imported there. */
export interface KnownAddress extends RecordOf<typeof knownAddressFields>, Named {}

/**
 * One text for all spellings of the public root of a portal: without scheme, default ports, slashes at the end and the paths
 * below the root that people copy with it, and without regard to case (chosen). Takes what `parsePortalUrl` answers.
 */
export function addressOf(portalUrl: string): string {
  const { hostname, port, pathname } = new URL(portalUrl)
  const host = hostname.replace(/\.+$/, '')
  const path = decodePath(pathname).toLowerCase().replace(/\/+/g, '/').replace(/\/$/, '')
  return rootOfCopied(`${host}${isDefaultPort(port) ? '' : `:${port}`}${path}`)
}

/**
 * Whether both are the same public root, as URLs are compared: servers that differ only by scheme, path or case have one
 * address, and may be two that work together. What is no root of a portal is the same as none.
 */
export function isSameRoot(one: string, other: string): boolean {
  const root = parsePortalUrl(one)
  return root !== undefined && root === parsePortalUrl(other)
}

function isDefaultPort(port: string): boolean {
  return ['', '80', '443'].includes(port)
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
