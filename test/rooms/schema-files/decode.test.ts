import { describe, expect, test } from 'vitest'
import { decodeFile, maxFileBytes } from '../../../src/schema-files/decode.ts'

const utf16 = Buffer.from('\ufeffÄ,ß\n🗺', 'utf16le')
const bytesOf = (...bytes: readonly number[]) => Buffer.from(bytes)

/** The beginning of a ZIP archive: the header of its first part, and the part, which is not compressed. */
function archive(name: string, content: string): Buffer {
  const header = Buffer.alloc(30)
  header.write('PK\x03\x04\x14')
  header.writeUInt32LE(content.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name + content)])
}

describe('the text of a file', () => {
  test.each([
    ['in UTF-8', Buffer.from('Ä,ß\n🗺')],
    ['in UTF-8 with a byte order mark', Buffer.from('\ufeffÄ,ß\n🗺')],
    ['in UTF-16, little end first', utf16],
    ['in UTF-16, big end first', Buffer.from(utf16).swap16()],
  ])('%s', (_what, bytes) => {
    expect(decodeFile(bytes, undefined)).toEqual({ value: 'Ä,ß\n🗺' })
  })

  test('in windows-1252 where that is given', () => {
    const marks = bytesOf(0xc4, 0x2c, 0x80, 0x2c, 0x93, 0x94, 0x91, 0x92, 0x2c, 0x96, 0x97, 0x85, 0x9f)
    expect(decodeFile(marks, 'windows-1252')).toEqual({ value: 'Ä,€,“”‘’,–—…Ÿ' })
  })

  test('of 1 MiB', () => {
    expect(decodeFile(Buffer.alloc(maxFileBytes, 'a'), undefined)).toHaveProperty('value.length', maxFileBytes)
  })
})

describe('a file is refused', () => {
  test.each([
    [
      'that is not UTF-8, with the line',
      bytesOf(0x41, 0x0a, 0xc4, 0x0a),
      'Line 2 is not UTF-8: save the file as UTF-8, or give encoding=windows-1252.',
    ],
    [
      'of quotation marks of windows-1252',
      bytesOf(0x41, 0x0a, 0x0a, 0x93, 0x42, 0x94),
      'Line 3 is not UTF-8: save the file as UTF-8, or give encoding=windows-1252.',
    ],
    [
      'that begins as UTF-8 and is not',
      bytesOf(0xef, 0xbb, 0xbf, 0xc4),
      'Line 1 is not UTF-8, as the byte order mark says: save the file as UTF-8.',
    ],
    [
      'of half a character in UTF-16',
      Buffer.concat([utf16, bytesOf(0x41)]),
      'The file begins with the byte order mark of UTF-16, but it is not UTF-16.',
    ],
    [
      'of half a pair in UTF-16',
      Buffer.from('\ufeff\ud800', 'utf16le'),
      'The file begins with the byte order mark of UTF-16, but it is not UTF-16.',
    ],
    [
      'in UTF-16 without a mark, little end first',
      Buffer.from('path', 'utf16le'),
      'The file looks like UTF-16 without a byte order mark: save it as UTF-8.',
    ],
    [
      'in UTF-16 without a mark, big end first',
      Buffer.from('path', 'utf16le').swap16(),
      'The file looks like UTF-16 without a byte order mark: save it as UTF-8.',
    ],
    [
      'of LibreOffice',
      archive('mimetype', 'application/vnd.oasis.opendocument.spreadsheet'),
      'The file is an OpenDocument spreadsheet: save it as an Excel workbook (.xlsx), or as CSV.',
    ],
    ['of an archive', archive('schema.csv', 'path'), 'The file is a ZIP archive: give the file that is in it.'],
    [
      'of an old Excel',
      bytesOf(0xd0, 0xcf, 0x11, 0xe0, 0xa1),
      'The file is an Excel workbook of before 2007 (.xls): save it as an Excel workbook (.xlsx), or as CSV.',
    ],
    [
      'of Excel with a password',
      Buffer.concat([bytesOf(0xd0, 0xcf, 0x11, 0xe0, 0xa1), Buffer.from('EncryptedPackage', 'utf16le')]),
      'The workbook has a password: save it without one.',
    ],
    [
      'of more than 1 MiB',
      Buffer.alloc(maxFileBytes + 1, 'a'),
      'The file has 1048577 bytes; at most 1048576 are allowed.',
    ],
  ])('%s', (_what, bytes, problem) => {
    expect(decodeFile(bytes, undefined)).toEqual({ problems: [problem] })
  })

  test('whose mark contradicts the encoding that is given', () => {
    expect(decodeFile(Buffer.from('\ufeffpath'), 'windows-1252')).toEqual({
      problems: ['The file begins with the byte order mark of UTF-8: leave encoding=windows-1252 out.'],
    })
  })
})
