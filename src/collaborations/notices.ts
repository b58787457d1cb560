import type { Call } from '../call/call.ts'
import type { InvitationNotificationType } from '../directory/groups/request.ts'
import { findNamedUser } from '../directory/users/named-user.ts'
import type { Collaboration } from './collaboration.ts'
import type { Invitation } from './invitation.ts'
import type { CollaborationStores } from './store.ts'

/** Milliseconds before the end of an invitation from which who sent it is notified of that (chosen): the last of three days. */
const warnedBefore = 86_400_000

interface Noticed {
  readonly invitation: Pick<Invitation, 'invitationId' | 'collaborationId' | 'guestPortalUrl' | 'expiresAt'>
  readonly collaboration: Pick<Collaboration, 'name'>
}

/** Notifies the caller, who has sent the invitation, when it soon ends; of one that is valid for less than a day, not at all. */
export async function notifyOfEnd(stores: CollaborationStores, call: Call, about: Noticed): Promise<void> {
  const { expiresAt } = about.invitation
  const at = expiresAt - warnedBefore
  const userId = at > call.now ? call.caller?.userId : undefined
  await putNotice(stores, call, about, { type: 'invitation_expiring', userId, at, by: '' })
}

/** Notifies who has sent the invitation last of what the caller has done with it; a person may have been deleted since. */
export async function notifySender(
  stores: CollaborationStores,
  call: Call,
  about: Noticed & { readonly type: InvitationNotificationType; readonly by: string },
): Promise<void> {
  const { type, by, invitation } = about
  const steps = await stores.collaborations.listSteps(invitation.invitationId)
  const sender = steps.findLast(({ event }) => event === 'create' || event === 'refresh')?.username ?? by
  const user = sender === by ? undefined : await findNamedUser(stores, sender)
  await putNotice(stores, call, about, { type, userId: user?.userId, at: call.now, by })
}

/** An invitation has at most one notification, with its id: what is said later takes the place of what was said before. */
async function putNotice(
  { directory }: CollaborationStores,
  call: Call,
  { invitation, collaboration }: Noticed,
  notice: {
    readonly type: InvitationNotificationType
    readonly userId: string | undefined
    readonly at: number
    readonly by: string
  },
): Promise<void> {
  const { invitationId, collaborationId, guestPortalUrl } = invitation
  const { type, userId, at, by } = notice
  await directory.removeNotification(invitationId)
  if (userId === undefined) return
  const notification = {
    notificationId: invitationId,
    userId,
    type,
    groupId: '',
    groupTitle: '',
    createdAt: at,
    draft: undefined,
    invitation: { id: invitationId, collaborationId, collaborationName: collaboration.name, guestPortalUrl, by },
    readAt: undefined,
  }
  await directory.addNotification(notification, call.limits.notifications)
}
