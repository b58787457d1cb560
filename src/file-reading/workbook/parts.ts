import type { Archive } from './archive.ts'
import { damagedWorkbook, WorkbookRefused } from './refusal.ts'
import { isTrue, readXml } from './xml.ts'

/** The parts of a workbook that its cells are in, found by their relations. */
export interface WorkbookParts {
  /** Sheets in the order of the workbook, those of charts and dialogs left out. */
  readonly sheets: readonly SheetPart[]
  /** Whether days count from 1904. */
  readonly is1904: boolean
  readonly strings: string | undefined
  readonly styles: string | undefined
  readonly hasMacros: boolean
}

export interface SheetPart {
  readonly name: string
  readonly part: string
  readonly isHidden: boolean
}

/** Sheets of a workbook (chosen). */
const maxSheets = 1_000
/** Characters of a name; Excel allows 31. */
const maxNameLength = 100

export function findParts(archive: Archive): WorkbookParts {
  const main = findMain(archive)
  if (/\.bin$/i.test(main)) {
    throw new WorkbookRefused('The file is a binary Excel workbook (.xlsb): save it as an Excel workbook (.xlsx).')
  }
  const relations = readRelations(archive, main)
  const partOf = (type: string) => relations.find((one) => one.type === type && archive.has(one.part))?.part
  const { listed, is1904 } = readBook(archive.read(main))
  const sheets = listed.flatMap(({ id, ...sheet }) => {
    const relation = relations.find((one) => one.id === id)
    return relation?.type === 'worksheet' ? [{ ...sheet, part: relation.part }] : []
  })
  const strings = partOf('sharedStrings')
  return { sheets, is1904, strings, styles: partOf('styles'), hasMacros: partOf('vbaProject') !== undefined }
}

/** The part that the whole archive is about. */
function findMain(archive: Archive): string {
  const found = archive.has('_rels/.rels')
    ? readRelations(archive, '').find(({ type }) => type === 'officeDocument')?.part
    : undefined
  const main = found ?? ['xl/workbook.xml', 'xl/workbook.bin'].find((name) => archive.has(name))
  if (main === undefined || !archive.has(main)) throw noWorkbook()
  return main
}

function noWorkbook(): WorkbookRefused {
  return new WorkbookRefused('The file is a ZIP archive, but no Excel workbook: give the file that is in it.')
}

interface Relation {
  readonly id: string
  /** End of the URI of its type, which is the same in both forms of the standard. */
  readonly type: string
  readonly part: string
}

function readRelations(archive: Archive, of: string): readonly Relation[] {
  const slash = of.lastIndexOf('/') + 1
  const name = `${of.slice(0, slash)}_rels/${of.slice(slash)}.rels`
  if (!archive.has(name)) return []
  const relations: Relation[] = []
  readXml(archive.read(name), {
    open(element) {
      if (element.name !== 'Relationship' || element.attribute('TargetMode') === 'External') return
      const target = element.attribute('Target')
      if (target === undefined) throw damagedWorkbook()
      const type = /[^/]*$/.exec(element.attribute('Type') ?? '')![0]
      relations.push({ id: element.attribute('Id') ?? '', type, part: resolvePart(target, of) })
    },
  })
  return relations
}

function resolvePart(target: string, of: string): string {
  try {
    return decodeURIComponent(new URL(target.replaceAll('\\', '/'), `file:///${encodeURI(of)}`).pathname.slice(1))
  } catch {
    throw damagedWorkbook()
  }
}

interface ListedSheet extends Omit<SheetPart, 'part'> {
  /** That of its relation. */
  readonly id: string
}

function readBook(bytes: Uint8Array): { readonly listed: readonly ListedSheet[]; readonly is1904: boolean } {
  const listed: ListedSheet[] = []
  let is1904 = false
  let root: string | undefined
  readXml(bytes, {
    open(element) {
      root ??= element.name
      // A document or a presentation.
      if (root !== 'workbook') throw noWorkbook()
      if (element.name === 'workbookPr') is1904 = isTrue(element.attribute('date1904'))
      if (element.name !== 'sheet') return
      const name = (element.attribute('name') ?? '').slice(0, maxNameLength).toWellFormed()
      const state = element.attribute('state') ?? 'visible'
      listed.push({ name, id: element.attribute('id') ?? '', isHidden: state !== 'visible' })
      if (listed.length > maxSheets) throw new WorkbookRefused(`The workbook has more than ${maxSheets} sheets.`)
    },
  })
  return { listed, is1904 }
}
