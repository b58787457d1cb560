import { say } from '../../sentences/say.ts'

/** A workbook that is not read; the message is a sentence for the person who gave it. */
export class WorkbookRefused extends Error {}

export function damagedWorkbook(): WorkbookRefused {
  return new WorkbookRefused(say('workbookDamaged'))
}
