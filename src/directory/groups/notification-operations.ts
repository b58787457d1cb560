import type { Call } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { resourceNotFound } from '../../errors.ts'
import type { DirectoryReaders, DirectoryStores } from '../store.ts'
import type { User } from '../user.ts'
import { requireOneself } from './invitation-operations.ts'
import type { Notification } from './request.ts'

export async function listNotifications(
  stores: DirectoryReaders,
  call: Call,
  input: { username: string },
): Promise<{ readonly user: User; readonly notifications: readonly Notification[] }> {
  const user = await requireOneself(stores, call, input.username)
  const { limits, now } = call
  return { user, notifications: await stores.directory.listNotifications(user.userId, now, limits.notifications) }
}

/** Answers the user who is notified only (documented). */
export async function readNotification(
  stores: DirectoryReaders,
  call: Call,
  input: { username: string; notificationId: string },
): Promise<{ readonly user: User; readonly notification: Notification }> {
  const user = await requireOneself(stores, call, input.username)
  const notification = await stores.directory.findNotification(input.notificationId)
  if (notification?.userId !== user.userId || notification.createdAt > call.now) throw resourceNotFound()
  return { user, notification }
}

export async function deleteNotification(
  stores: DirectoryStores,
  call: Call,
  input: { username: string; notificationId: string },
): Promise<void> {
  const { notification } = await readNotification(stores, call, input)
  await stores.directory.removeNotification(notification.notificationId)
}

/** Notes that the user has read all notifications up to a time (chosen). */
export async function markNotificationsRead(
  stores: DirectoryStores,
  call: Call,
  input: { username: string; given: Parsed<{ readonly until: number | undefined }> },
): Promise<void> {
  const { userId } = await requireOneself(stores, call, input.username)
  const { until = call.now } = unwrapParsed(input.given)
  await stores.directory.putNotificationsRead(userId, Math.min(until, call.now), call.now)
}
