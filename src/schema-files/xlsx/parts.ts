import { strToU8, zipSync } from 'fflate'

/** Parts of a workbook with one sheet (ECMA-376), the fewest that Excel opens. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const contentTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Parts by name. The first row is the heading. */
export function partsOf(rows: readonly (readonly string[])[]): Readonly<Record<string, string>> {
  return {
    '[Content_Types].xml':
      `${declaration}<Types xmlns="${packages}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${contentTypes}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentTypes}.worksheet+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${contentTypes}.styles+xml"/></Types>`,
    '_rels/.rels': relationsOf({ officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml':
      `${declaration}<workbook xmlns="${main}" xmlns:r="${relationTypes}">` +
      '<sheets><sheet name="Categories" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relationsOf({ worksheet: 'worksheets/sheet1.xml', styles: 'styles.xml' }),
    'xl/styles.xml': styles,
    'xl/worksheets/sheet1.xml': sheetOf(rows),
  }
}

function relationsOf(targets: Readonly<Record<string, string>>): string {
  const relations = Object.entries(targets).map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${relationTypes}/${type}" Target="${target}"/>`,
  )
  return `${declaration}<Relationships xmlns="${packages}/relationships">${relations.join('')}</Relationships>`
}

/** The format of texts: what is typed into such a cell is neither a date, nor a number, nor a formula. */
const textFormat = 49
const [textStyle, headingStyle] = [1, 2]

const styles =
  `${declaration}<styleSheet xmlns="${main}">` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  `<xf numFmtId="${textFormat}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
  `<xf numFmtId="${textFormat}" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

function sheetOf(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]!.map((_, at) => {
    const width = widthOf(rows.map((cells) => cells[at]!))
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" style="${textStyle}" customWidth="1"/>`
  })
  return (
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView tabSelected="1" workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>' +
    `<cols>${columns.join('')}</cols><sheetData>${rows.map(formatRow).join('')}</sheetData></worksheet>`
  )
}

/** Characters (chosen). */
const [minWidth, maxWidth] = [12, 60]

/** The width of the longest text, in which wide letters count as two. */
function widthOf(texts: readonly string[]): number {
  const widths = texts.map(
    (text) => text.length + (text.match(/[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60]/g)?.length ?? 0),
  )
  return Math.min(maxWidth, Math.max(minWidth, ...widths.map((width) => width + 2)))
}

function formatRow(cells: readonly string[], at: number): string {
  const style = at === 0 ? headingStyle : textStyle
  const formatted = cells.map((text, column) => {
    if (text === '') return ''
    // No table has as many columns as there are letters.
    const name = `${String.fromCharCode(65 + column)}${at + 1}`
    return `<c r="${name}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`
  })
  return `<row r="${at + 1}">${formatted.join('')}</row>`
}

/** A text in XML. Characters that XML cannot have, or would change, are written as `_x000D_`. */
function escapeText(text: string): string {
  return text
    .replace(/_(?=x[\da-f]{4})/gi, '_x005F_')
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]/g, (sign) => {
      return `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
    })
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** An archive of these parts, of which the same have the same bytes. */
export function zipParts(parts: Readonly<Record<string, string>>): Uint8Array {
  // The first time that an archive can name, whatever the zone of the server is.
  const mtime = new Date(1980, 0, 1)
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, strToU8(part)])), { mtime })
}
