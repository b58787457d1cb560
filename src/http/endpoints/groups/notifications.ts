import { limitTable } from '../../../limits.ts'
import { exampleIds, exampleTime } from '../../examples/examples.ts'
import { appliedNotification, invitedNotification } from '../../examples/group-requests.ts'
import { notificationShape, notificationToWire } from '../../shapes/directory/group-request.ts'
import { id, list, object } from '../../shapes/shape.ts'
import { success, successShape, successShapeWith, successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { optionalInteger } from '../parameter-types.ts'

const endpoint = endpointsOf('directory')

const { username, notificationId } = exampleIds
const path = '/community/users/:username/notifications/:notificationId'
const common = { token: 'required', who: 'The user', source: 'documented' } as const

/** Rows of the notifications of a user. */
export const notificationRows: readonly Endpoint[] = [
  endpoint({
    ...common,
    id: 'listNotifications',
    title: 'Notifications',
    path: '/community/users/:username/notifications',
    summary: 'What became of the invitations of a user and of the requests to join groups, newest first.',
    chosen: [
      'Beside the public types: `draft_proposed` for the person that a draft of a schema is proposed to; `draft_returned`, `draft_published` and `draft_failed` for who saved, proposed or scheduled it.',
      'For who has sent an invitation to a collaboration: `invitation_expiring` a day before its end, `invitation_accepted` and `invitation_invalidated` when another user does that. An invitation has at most one, the latest.',
      '`group_application` for the owner and managers of a group that a user asks to join; the latest of a group replaces the one before.',
      `The latest ${limitTable.notifications.default} notifications are kept, unless the operator sets another limit.`,
    ],
    answers: { json: object({ notifications: list(notificationShape) }) },
    example: {
      caller: 'anna',
      ids: { username },
      answer: { notifications: [invitedNotification, appliedNotification] },
    },
    async answer({ ids, run }) {
      const { user, notifications } = await run({ username: ids.username })
      return { json: { notifications: notifications.map((one) => notificationToWire(one, user.username)) } }
    },
  }),
  endpoint({
    ...common,
    id: 'readNotification',
    title: 'Notification',
    path,
    summary: 'A notification of a user.',
    answers: { json: notificationShape },
    example: { caller: 'anna', ids: { username, notificationId }, answer: invitedNotification },
    async answer({ ids, run }) {
      const { user, notification } = await run(ids)
      return { json: notificationToWire(notification, user.username) }
    },
  }),
  endpoint({
    ...common,
    id: 'markNotificationsRead',
    title: 'Mark notifications as read',
    task: 'mark notifications',
    path: '/community/users/:username/notifications/markRead',
    source: 'chosen',
    parameters: {
      until: optionalInteger('Those that were received until then, in milliseconds since 1970; by default now.', {
        minimum: 0,
      }),
    },
    summary: 'Says that the user has read the notifications; they stay until they are deleted.',
    answers: { json: successShape },
    example: {
      caller: 'anna',
      ids: { username },
      parameters: { until: String(exampleTime) },
      answer: { success: true },
    },
    async answer({ ids, input, run }) {
      await run({ username: ids.username, given: input })
      return success
    },
  }),
  endpoint({
    ...common,
    id: 'deleteNotification',
    title: 'Delete notification',
    path: `${path}/delete`,
    summary: 'Deletes the notification.',
    answers: { json: successShapeWith({ notificationId: id() }) },
    example: { caller: 'anna', ids: { username, notificationId }, answer: { success: true, notificationId } },
    async answer({ ids, run }) {
      await run(ids)
      return successWith({ notificationId: ids.notificationId })
    },
  }),
]
