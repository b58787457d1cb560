import { strToU8, zipSync } from 'fflate'

const relationTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

export interface SheetFile {
  readonly name: string
  /** Elements of the part: `<sheetData>` and those around it. */
  readonly xml: string
  readonly state?: 'hidden' | 'veryHidden'
  /** Kind of its relation; by default that of a sheet with cells. */
  readonly kind?: 'worksheet' | 'chartsheet'
}

export interface WorkbookFile {
  readonly sheets: readonly SheetFile[]
  /** Elements `<si>`. */
  readonly strings?: string
  /** Content of the part of styles. */
  readonly styles?: string
  /** Attributes of `<workbookPr>`. */
  readonly properties?: string
  /** Further relations of the workbook, by type, with their targets. */
  readonly relations?: Readonly<Record<string, string>>
  /** Parts that are added, or put in place of others. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>
}

/** Parts of a workbook as Excel names them. */
function partsOf({ sheets, strings, styles, properties = '', relations = {} }: WorkbookFile) {
  const part = (root: string, content: string) =>
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<${root} xmlns="${main}" xmlns:r="${relationTypes}">${content}</${root}>`
  const related = {
    ...Object.fromEntries(
      sheets.map(({ kind = 'worksheet' }, at) => [`${kind}#${at + 1}`, `worksheets/sheet${at + 1}.xml`]),
    ),
    ...(strings === undefined ? {} : { sharedStrings: 'sharedStrings.xml' }),
    ...(styles === undefined ? {} : { styles: 'styles.xml' }),
    ...relations,
  }
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 7}"${state ? ` state="${state}"` : ''} r:id="rId${at + 1}"/>`,
  )
  return {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationsOf({ officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml': part('workbook', `<workbookPr ${properties}/><sheets>${listed.join('')}</sheets>`),
    'xl/_rels/workbook.xml.rels': relationsOf(related),
    ...Object.fromEntries(sheets.map(({ xml }, at) => [`xl/worksheets/sheet${at + 1}.xml`, part('worksheet', xml)])),
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': part('sst', strings) }),
    ...(styles === undefined ? {} : { 'xl/styles.xml': part('styleSheet', styles) }),
  }
}

export function relationsOf(targets: Readonly<Record<string, string>>): string {
  const relations = Object.entries(targets).map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${relationTypes}/${type.replace(/#.*/, '')}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`
}

/** A workbook as a program writes it. */
export function workbookFile(file: WorkbookFile): Uint8Array {
  return archiveOf({ ...partsOf(file), ...file.parts })
}

export function archiveOf(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  )
}

/** A workbook of one sheet. */
export function sheetFile(xml: string, further: Partial<WorkbookFile> = {}): Uint8Array {
  return workbookFile({ sheets: [{ name: 'Sheet1', xml }], ...further })
}

/** Cells with their texts in themselves, without references, as some libraries write them. */
export function inlineRows(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) =>
    row.map((text) => (text === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`))
  return `<sheetData>${rows.map((row) => `<row>${cells(row).join('')}</row>`).join('')}</sheetData>`
}
