import type { SchemaLimits } from '../../../src/categories/limits.ts'
import { ApiError } from '../api/call.ts'
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

/** Error for a dialog that stays open, in the form of a server error. */
export function refused(message: string): ApiError {
  return new ApiError({ code: 400, message }, undefined)
}
