import type { GivenFile } from '../schema-files/schema-file-reader.ts'

/** In characters (chosen). */
const minHeavyLength = 64 * 1024

/** Whether reading the file takes long enough to be felt by others. */
export function isHeavy({ text }: GivenFile): boolean {
  return text.length >= minHeavyLength
}
