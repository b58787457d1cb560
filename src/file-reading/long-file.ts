import type { GivenFile } from '../schema-files/schema-file-reader.ts'

/** In characters (chosen). */
const leastLong = 64 * 1024

/**
 * Whether reading the file takes long enough to be felt by others: its thread then has the lowest priority, and more time.
 * Shorter ones are done before that matters, and on a busy machine they do not wait for everything else.
 */
export function isLong({ text }: GivenFile): boolean {
  return text.length >= leastLong
}
