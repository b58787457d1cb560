import type { WireNotification } from '../../../src/http/shapes/directory/group-request.ts'
import { Changes } from '../state/changes.ts'
import { call, post, signedIn, userPath } from './session.ts'

/** Notices of the person, of which the bell counts the unread ones. */

/** Changes of the number of unread ones. */
export const noticeChanges = new Changes()
let unread = 0

export function countUnread(): number {
  return unread
}

function pathOf(): string {
  return `${userPath(signedIn()?.username ?? '')}/notifications`
}

function setUnread(count: number): void {
  unread = count
  noticeChanges.emit()
}

/** Reads the notices, the latest first. */
export async function readNotices(signal?: AbortSignal): Promise<readonly WireNotification[]> {
  const answer = await call<{ readonly notifications: readonly WireNotification[] }>(pathOf(), {}, signal && { signal })
  setUnread(answer.notifications.filter(({ read }) => !read).length)
  return answer.notifications
}

/** Says that these notices, which are all, are read. */
export async function markRead(notices: readonly WireNotification[]): Promise<void> {
  const newest = notices.find(({ read }) => !read)
  if (!newest) return
  await post(`${pathOf()}/markRead`, { until: newest.received })
  setUnread(0)
}
