/** A workbook that is not read; the message is a sentence for the person who gave it. */
export class WorkbookRefused extends Error {}

export function damagedWorkbook(): WorkbookRefused {
  return new WorkbookRefused('The workbook is damaged: open it in Excel or LibreOffice, and save it again.')
}
