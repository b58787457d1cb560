import { limitTable } from '../../../limits.ts'
import { exampleIds } from '../../examples/examples.ts'
import { groupApplicationAnswer } from '../../examples/group-requests.ts'
import { applicationShape, applicationToWire } from '../../shapes/directory/group-request.ts'
import { id, list, object, text } from '../../shapes/shape.ts'
import { successShapeWith, successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'

const endpoint = endpointsOf('directory')

const { username } = exampleIds
const ids = { groupId: exampleIds.closedGroupId, username }
const who = 'Owner and managers; administrators, and custom roles with portal:admin:assignToGroups'

/** Requests of users to join groups; they are made by joinGroup. */
export const groupApplicationRows: readonly Endpoint[] = [
  endpoint({
    id: 'listGroupApplications',
    title: 'Applications',
    task: 'list applications',
    goals: ['Answer requests to join a group'],
    path: '/community/groups/:groupId/applications',
    who,
    summary: 'Open requests to join the group, oldest first.',
    chosen: [
      `A group has at most ${limitTable.applicationsToGroup.default} open requests, a user ${limitTable.applicationsOfUser.default}, each for ${limitTable.applicationDays.default} days, unless the operator sets other limits.`,
    ],
    answers: { json: object({ applications: list(applicationShape) }) },
    example: { ids: { groupId: ids.groupId }, answer: { applications: [groupApplicationAnswer] } },
    async answer({ ids, run }) {
      return { json: { applications: (await run({ groupId: ids.groupId })).map(applicationToWire) } }
    },
  }),
  endpoint({
    id: 'readGroupApplication',
    title: 'Application',
    task: 'read application',
    path: '/community/groups/:groupId/applications/:username',
    who,
    summary: 'An open request to join the group.',
    answers: { json: applicationShape },
    example: { ids, answer: groupApplicationAnswer },
    async answer({ ids, run }) {
      return { json: applicationToWire(await run({ groupId: ids.groupId, username: ids.username })) }
    },
  }),
  ...(['accept', 'decline'] as const).map((verb) =>
    endpoint({
      id: `${verb}GroupApplication`,
      title: `${verb === 'accept' ? 'Accept' : 'Decline'} application`,
      task: `${verb} application`,
      goals: ['Answer requests to join a group'],
      path: `/community/groups/:groupId/applications/:username/${verb}`,
      who,
      summary:
        verb === 'accept' ? 'Makes the user a member of the group, and deletes the request.' : 'Deletes the request.',
      answers: { json: successShapeWith({ username: text(), groupId: id() }) },
      example: { ids, answer: { success: true, ...ids } },
      async answer({ ids, dependencies, run }) {
        const { groupId } = ids
        const notificationId = dependencies.random.id()
        const { username } = await run({ groupId, username: ids.username, notificationId })
        return successWith({ username, groupId })
      },
    }),
  ),
]
