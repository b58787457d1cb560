import type { sheetAnswerShape } from '../../../src/http/shapes/items/item-sheets.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'

/** Effects of an edited table, without DOM. */

type SheetAnswer = ValueOf<typeof sheetAnswerShape>
export type SheetPlan = Extract<SheetAnswer, { readonly dryRun: true }>
export type BegunImport = Extract<SheetAnswer, { readonly dryRun: false }>

export type SheetMode = 'set' | 'add' | 'remove'

/** Choices beside the file; they are the parameters of the API. */
export interface SheetOptions {
  readonly mode: SheetMode
  readonly onUnknown: 'refuse' | 'skip'
  readonly ifUnchanged: boolean
  readonly encoding: 'windows-1252' | undefined
}

export const defaultOptions: SheetOptions = { mode: 'set', onUnknown: 'refuse', ifUnchanged: true, encoding: undefined }

/** Paths that an item loses, and those that it gets. */
export function comparePaths(from: readonly string[], to: readonly string[]) {
  return {
    removed: from.filter((path) => !to.includes(path)),
    added: to.filter((path) => !from.includes(path)),
  }
}

/** Name of a downloaded file; each of several has a number. */
export function nameOfPart(part: number, isOnly: boolean): string {
  return isOnly ? 'item-categories.csv' : `item-categories-${part}.csv`
}

/** Sign between cells that spreadsheets expect where a language is spoken: a semicolon if the decimal sign is a comma. */
export function signIn(language: string): ',' | ';' {
  const decimal = new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === 'decimal')
  return decimal?.value === ',' ? ';' : ','
}
