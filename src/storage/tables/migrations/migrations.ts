import type { Migration } from 'kysely/migration'
import { up as foundation } from './001-foundation.ts'

/** Every migration, in order; add at the end. A migration that has landed is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-foundation': { up: foundation },
}
