import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import type { DirectoryReaders } from '../../directory/store.ts'
import type { SchemaDraft } from './draft.ts'
import type { DraftReader, DraftStore } from './store.ts'

/** Drafts that no person has saved, proposed or sent back for a year end (chosen): their bytes count for a person. */

const day = 86_400_000
const retention = 365 * day
/** Time before the end at which who saved the draft gets a mail. */
const reminderTime = 30 * day
/** Maximum number of drafts of one call (chosen). */
const maxDrafts = 100

/** Mail to one address. */
export interface DraftReminder {
  readonly to: string
  readonly drafts: readonly { readonly name: string; readonly of: string; readonly endsAt: number }[]
}

/** Drafts that end, and mails about those of which none was sent; a mail counts when its draft is given to `endOldDrafts`. */
export async function findEndingDrafts(
  { drafts, directory }: DirectoryReaders & { readonly drafts: DraftReader },
  now: number,
): Promise<{ readonly ended: number; readonly due: readonly string[]; readonly reminders: readonly DraftReminder[] }> {
  const found = await drafts.listUntouchedDrafts(now - retention + reminderTime, maxDrafts)
  const endOf = ({ savedAt, stateAt = 0 }: SchemaDraft) => Math.max(savedAt, stateAt) + retention
  const due = found.filter((draft) => !draft.isReminded && endOf(draft) > now)
  const reminders: DraftReminder[] = []
  for (const [savedBy, saved] of Map.groupBy(due, (draft) => draft.savedBy)) {
    const user = await directory.findUser(savedBy)
    if (!user || user.disabled || user.email === '') continue
    const named: DraftReminder['drafts'][number][] = []
    for (const draft of saved) {
      const { owner, portalId, name } = draft
      const { title = '' } = (owner.kind === 'group' ? await directory.findGroup(owner.groupId) : undefined) ?? {}
      named.push({ name, of: title || ((await directory.findPortal(portalId))?.name ?? ''), endsAt: endOf(draft) })
    }
    reminders.push({ to: user.email, drafts: named })
  }
  const ended = found.filter((draft) => endOf(draft) <= now).length
  return { ended, due: due.map(({ draftId }) => draftId), reminders }
}

/** Removes a bounded number of drafts that have ended, and notes those of which a mail was sent. */
export async function endOldDrafts(
  { drafts }: { readonly drafts: DraftStore },
  { now }: Call,
  { reminded }: { readonly reminded: readonly string[] },
): Promise<WithAuditDetails> {
  for (const draftId of reminded) await drafts.noteReminder(draftId, now)
  await drafts.removeUntouchedDrafts(now - retention, maxDrafts)
  return { audit: nothingDone }
}
