import type { WireNotification } from '../../../src/http/shapes/directory/group-request.ts'
import { Changes } from '../state/changes.ts'
import { call, post, signedIn } from './session.ts'

/** Notices of the person, of which the bell counts the unread ones. */

const changes = new Changes()
let unread = 0

export function countUnread(): number {
  return unread
}

/** Calls back after each change of the number; returns the function that ends this. */
export function watchNotices(listener: () => void): () => void {
  return changes.watch(listener)
}

function pathOf(): string {
  return `/community/users/${encodeURIComponent(signedIn()?.username ?? '')}/notifications`
}

function setUnread(count: number): void {
  unread = count
  changes.emit()
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
