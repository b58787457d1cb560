import type { SchemaLimits } from '../../../src/categories/limits.ts'
import { ApiError } from '../api/call.ts'
import type { Limit } from './model/counts.ts'
import { t } from './texts.ts'

/** Why an edit is refused: the limit that it would exceed. */
export function exceededText(limit: Limit, limits: SchemaLimits): string {
  return t(`exceeded_${limit}`, { most: limits[limit] })
}

/** For a dialog that stays open: said as the server would say it. */
export function refused(message: string): ApiError {
  return new ApiError({ code: 400, message }, undefined)
}
