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
}

export const defaultOptions: SheetOptions = { mode: 'set', onUnknown: 'refuse', ifUnchanged: true }

/** Paths that an item loses, and those that it gets. */
export function comparePaths(from: readonly string[], to: readonly string[]) {
  return {
    removed: from.filter((path) => !to.includes(path)),
    added: to.filter((path) => !from.includes(path)),
  }
}

export const downloads = ['xlsx', 'comma', 'semicolon'] as const

/** Parameters of a download, by its form. */
export function downloadOf(form: (typeof downloads)[number]) {
  return form === 'xlsx' ? { format: form } : { format: 'csv', delimiter: form }
}

/** Name of a downloaded file; each of several has a number. */
export function nameOfPart(part: number, isOnly: boolean, extension: string): string {
  return `item-categories${isOnly ? '' : `-${part}`}.${extension}`
}
