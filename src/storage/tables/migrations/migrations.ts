import type { Migration } from 'kysely/migration'
import { up as makeAll } from './100-foundation.ts'

/**
 * Every migration, in order; add new ones at the end. A released migration is never changed. One that servers of older versions
 * can live with has a name that ends in `-beside-older`.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '100-foundation': { up: makeAll },
}
