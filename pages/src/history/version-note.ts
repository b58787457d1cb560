import type { SchemaVersion } from '../schemas/answers.ts'
import { t } from './texts.ts'

/** Origin of a version, in words. */
export function versionNote({
  action,
  restoredFrom,
  moves,
}: Pick<SchemaVersion, 'action' | 'restoredFrom'> & { readonly moves: number }): string {
  const words = restoredFrom === undefined ? t(`action_${action}`) : t('restoredFrom', { version: restoredFrom })
  return moves === 0 ? words : `${words} · ${t('moves', { moves })}`
}
