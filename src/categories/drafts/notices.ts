import type { Call } from '../../call/call.ts'
import { sha256Of } from '../../digest.ts'
import type { DraftNotificationType } from '../../directory/groups/request.ts'
import type { DirectoryStores } from '../../directory/store.ts'
import type { Person, StoredDraft } from './draft.ts'

type NoticedDraft = Pick<StoredDraft, 'draftId' | 'name' | 'owner' | 'revision' | 'people'>

/** Notifies persons of what became of a draft, each once, and not who did it. A person may have been deleted since. */
export async function notifyOfDraft(
  { directory }: DirectoryStores,
  call: Call,
  { draftId, name, owner, revision }: NoticedDraft,
  { type, to, by }: { readonly type: DraftNotificationType; readonly to: readonly Person[]; readonly by: string },
): Promise<void> {
  const group = owner.kind === 'group' ? await directory.findGroup(owner.groupId) : undefined
  for (const userId of new Set(to.map((person) => person.userId))) {
    const user = await directory.findUserById(userId)
    if (!user || user.username === by) continue
    const notification = {
      // One for each event: two events have two revisions or types.
      notificationId: sha256Of(`${draftId} ${revision} ${type} ${call.now} ${userId}`).slice(0, 32),
      userId,
      type,
      groupId: group?.groupId ?? '',
      groupTitle: group?.title ?? '',
      createdAt: call.now,
      draft: { id: draftId, name, by },
      invitation: undefined,
      readAt: undefined,
    }
    await directory.addNotification(notification, call.limits.notifications)
  }
}

/** Persons who wrote a draft, proposed it, and said when it is to be published. */
export function personsOf({ people: { savers, proposer, scheduler } }: NoticedDraft): readonly Person[] {
  return [...savers, ...(proposer ? [proposer] : []), ...(scheduler ? [scheduler] : [])]
}
