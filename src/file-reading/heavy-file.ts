import type { GivenFile, TableFile } from '../schema-files/schema-file-reader.ts'

/** In characters, or bytes of a workbook (chosen). */
const minHeavyLength = 64 * 1024

/** Whether reading the file takes long enough to be felt by others. */
export function isHeavy(file: GivenFile | TableFile): boolean {
  return (file.format === 'xlsx' ? file.bytes : file.text).length >= minHeavyLength
}
