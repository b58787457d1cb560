import { t } from './texts.ts'

/** An operation of the log, or one that permission can be asked for. */
export type NamedOperationId = keyof typeof import('./texts/en.json')

/** Purpose of an operation, in the language of the person. One of the log without a text does not compile. */
export function nameOfOperation(id: NamedOperationId): string {
  return t(id)
}
