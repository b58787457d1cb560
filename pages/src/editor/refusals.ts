import type { SchemaLimits } from '../../../src/categories/limits.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import type { Limit } from './model/counts.ts'
import type { Finding } from './model/judgement.ts'

/** Text for the limit that a refused edit would exceed. */
export function exceededText(limit: Limit, limits: SchemaLimits): string {
  return t(`exceeded_${limit}`, { max: limits[limit] })
}

/** Text for a violated rule, in the language of the person. */
export function findingText({ rule, found = '', max = 0 }: Finding): string {
  return t(`rule_${rule}`, { found, max })
}
