/** The first migration; it makes what 39 former ones made together, before there was a version. */
export const foundation = '100-foundation'

const formerMigrations = 39
const lastFormer = '045-bytes-of-schemas'

/** Last commit of the program that had them. */
export const lastFormerCommit = '3b1f2829'

export function isFormer(name: string): boolean {
  return name <= lastFormer
}

/** Whether all of them, and nothing else, made the tables of a database. */
export function areAllFormer(done: readonly string[]): boolean {
  return done.length === formerMigrations && done.includes(lastFormer) && done.every(isFormer)
}
