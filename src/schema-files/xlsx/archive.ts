import { strToU8, zipSync } from 'fflate'

/** An archive of these parts, of which the same have the same bytes. */
export function zipParts(parts: Readonly<Record<string, string>>): Uint8Array {
  // The first time that an archive can name, whatever the zone of the server is.
  const mtime = new Date(1980, 0, 1)
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, strToU8(part)])), { mtime })
}
