import { say } from '../sentences/say.ts'

/** Files of spreadsheets, by the bytes that they have. */

/** An Excel workbook that can be read: .xlsx, .xlsm, .xltx or .xltm. Whether it is whole is seen when it is read. */
export function looksLikeWorkbook(bytes: Uint8Array): boolean {
  return isZip(bytes) && !isOpenDocument(bytes) && ['[Content_Types].xml', 'xl/'].some((name) => hasPart(bytes, name))
}

/** Sentence about a file of a spreadsheet that cannot be read, with the way out; undefined for any other file. */
export function describeUnreadable(bytes: Uint8Array): string | undefined {
  if (beginsWith(bytes, compound)) {
    return isEncrypted(bytes) ? say('workbookLocked') : say('workbookOld')
  }
  if (!isZip(bytes)) return undefined
  if (isOpenDocument(bytes)) {
    return say('workbookOpen')
  }
  return looksLikeWorkbook(bytes) ? undefined : 'The file is a ZIP archive: give the file that is in it.'
}

const zip = [0x50, 0x4b, 0x03, 0x04]
/** The beginning of a file with parts, as Office has written it before 2007, and writes what has a password. */
const compound = [0xd0, 0xcf, 0x11, 0xe0]

function isZip(bytes: Uint8Array): boolean {
  return beginsWith(bytes, zip)
}

function beginsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

/** The first part of the archive has its type, and is not compressed. */
function isOpenDocument(bytes: Uint8Array): boolean {
  return includes(bytes.subarray(0, 256), 'application/vnd.oasis.opendocument')
}

/** A compound file has the names of its parts in UTF-16. */
function isEncrypted(bytes: Uint8Array): boolean {
  return includes(bytes, [...'EncryptedPackage'].join('\0'))
}

/** Bytes at both ends of an archive in which names of parts are, chosen: the list of all parts is its end. */
const namesLength = 64 * 1024

function hasPart(bytes: Uint8Array, name: string): boolean {
  return includes(bytes.subarray(0, 4_096), name) || includes(bytes.subarray(-namesLength), name)
}

function includes(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text)
}
