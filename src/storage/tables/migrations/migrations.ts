import type { Migration } from 'kysely/migration'
import { up as makeAll } from './100-foundation.ts'
import { up as noteItemChanges } from './101-item-changes.ts'
import { up as keepRemovedWords } from './103-removed-words.ts'
import { up as readNotices } from './104-notices.ts'
import { up as noticeInvitations } from './105-notices-of-invitations.ts'
import { up as addWebhooks } from './106-webhooks.ts'

/**
 * Every migration, in order; add new ones at the end. A released migration is never changed. One that servers of older versions
 * can live with has a name that ends in `-beside-older`.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '100-foundation': { up: makeAll },
  '101-item-changes-beside-older': { up: noteItemChanges },
  '103-removed-words-beside-older': { up: keepRemovedWords },
  '104-notices-beside-older': { up: readNotices },
  '105-notices-of-invitations-beside-older': { up: noticeInvitations },
  '106-webhooks': { up: addWebhooks },
}
