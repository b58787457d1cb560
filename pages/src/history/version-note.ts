import type { SchemaVersion } from '../schemas/answers.ts'
import { ofHistory as t } from '../texts/rooms.ts'

type PublishedDraft = NonNullable<SchemaVersion['draft']>

/** Origin of a version, in words. */
export function versionNote({
  action,
  restoredFrom,
  draft,
  moves,
}: Pick<SchemaVersion, 'action' | 'restoredFrom' | 'draft'> & { readonly moves: number }): string {
  const words = restoredFrom === undefined ? t(`action_${action}`) : t('restoredFrom', { version: restoredFrom })
  return [words, ...(moves === 0 ? [] : [t('moves', { moves })]), ...(draft ? [draftNote(draft)].flat() : [])].join(
    ' · ',
  )
}

/** The draft, and who proposed and published it; nothing of one that a person has written and published alone. */
function draftNote({ name, savedBy: saver, proposedBy: proposer, publishedBy: publisher }: PublishedDraft) {
  if (proposer === null && saver === publisher) return []
  return proposer === null
    ? t('ofOwnDraft', { name, saver, publisher })
    : t('ofDraft', { name, saver, proposer, publisher })
}
