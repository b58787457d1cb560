import { mapParsed } from '../../../call/parsed.ts'
import { profileLimits, usernameLength } from '../../../directory/user.ts'
import { requireMayInvite } from '../../../directory/users/invitation-operations.ts'
import { beginsWith } from '../../../directory/users/user-search.ts'
import { exampleIds, singlePage, userAnswers } from '../../examples/examples.ts'
import {
  invitedUsersShape,
  invitedUsersToWire,
  settledUsersShape,
  settledUsersToWire,
  userShape,
  userToWire,
} from '../../shapes/directory/user.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { success } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { optionalBoolean, optionalText, requiredJson, requiredList, requiredText } from '../parameter-types.ts'
import { sentByClients, withoutEffect } from '../unused-parameters.ts'
import { parseInvitationList, prepareInvitees, roleNamed } from './invitation-list.ts'
import { governedUsers } from './users.ts'

const endpoint = endpointsOf('directory')

const { portalId } = exampleIds

/** Maximum number of users in one call (chosen). */
const maxUsers = 100

const requiredUsers = requiredList(`Usernames with commas between them, at most ${maxUsers}.`, {
  max: maxUsers,
  maxLength: usernameLength.max,
})

function beginning(of: string) {
  return optionalText(`Beginning of the ${of}: users are listed for whom any such parameter is right.`, {
    maxLength: 254,
  })
}

/** The people of an organization, together. */
export const portalUserRows: readonly Endpoint[] = [
  endpoint({
    id: 'listUsers',
    title: 'Users',
    path: '/portals/:portalId/users',
    parameters: {
      ...pageParameters,
      role: optionalText(
        'Only users with this role: org_admin, org_publisher, org_user, org_viewer, or a custom role by its id or name.',
        {
          maxLength: profileLimits.name,
        },
      ),
      provider: optionalText('Only users of this provider: arcgis or enterprise.', { maxLength: profileLimits.name }),
      username: beginning('username'),
      fullname: beginning('full name'),
      firstname: beginning('first name'),
      lastname: beginning('last name'),
      email: beginning('e-mail address'),
      filterIntersection: optionalBoolean('Only users for whom each given beginning is right, and not any.'),
      ...withoutEffect('sortField', 'sortOrder', 'fullText'),
    },
    who: 'Members with portal:user:viewOrgUsers; private users are listed for administrators, and custom roles with portal:admin:viewUsers',
    summary: 'The users of the organization, sorted by username.',
    chosen: [
      'Beginnings are compared as in a search: without regard to case and accents.',
      'email and provider match the caller only, except for administrators, and custom roles with portal:admin:viewUsers.',
    ],
    answers: { json: pageOf('users', userShape) },
    example: { ids: { portalId }, answer: singlePage('users', userAnswers) },
    async answer({ ids, input, run }) {
      const asked = mapParsed(input, ({ role, provider, filterIntersection = false, ...beginnings }) => ({
        role: role?.trim() ? roleNamed(role.trim()) : undefined,
        provider: provider?.trim() || undefined,
        condition: beginsWith(beginnings, filterIntersection),
      }))
      const users = await run({ portalId: ids.portalId, asked, page: input })
      return { json: pageToWire('users', users, userToWire) }
    },
  }),
  endpoint({
    id: 'inviteUsers',
    title: 'Invite users',
    goals: ['Add people to the organization'],
    path: '/portals/:portalId/invite',
    parameters: {
      invitationList: {
        ...requiredJson(
          '{"invitations":[{"username","password","firstname","lastname","fullname","email","role","provider","idpUsername"}]}',
          parseInvitationList,
        ),
        // Contains the passwords of the invited users.
        isSecret: true,
      },
      ...sentByClients('subject', 'message', 'html'),
    },
    who: 'Administrators, and custom roles with portal:admin:inviteUsers',
    summary: 'Creates users. An entry with a password creates the user immediately.',
    source: 'observed',
    chosen: [
      'role is what updateUserRole takes; default org_user.',
      'Other members of an entry, such as groups and userLicenseType, have no effect.',
      'An entry without a password needs an e-mail address: where the server sends mail, a link to choose a password is sent there; elsewhere the entry is rejected. With provider enterprise and idpUsername it needs neither.',
      'notInvited lists the usernames that were not invited; reasons says why, and warnings if no user was invited. An empty list is rejected.',
      'Usernames are unique on the whole server. Of a username that is in use in another organization, reasons says only that it is not available.',
    ],
    answers: { json: invitedUsersShape },
    example: {
      ids: { portalId },
      parameters: {
        invitationList: JSON.stringify({
          invitations: [
            { username: 'bruno', password: 'a long enough password', fullname: 'Bruno B.', role: 'org_user' },
          ],
        }),
      },
      answer: { success: true, notInvited: [] },
    },
    async answer(request) {
      const { ids, input, read, run } = request
      await read(requireMayInvite, ids)
      const listed = mapParsed(input, ({ invitationList }) => invitationList)
      const { invitees, mail } = await prepareInvitees(listed, request)
      const outcome = await run({ portalId: ids.portalId, invitees })
      mail(outcome)
      const { invited, notInvited } = outcome
      return { json: invitedUsersToWire(invited.length + notInvited.length, notInvited) }
    },
  }),
  endpoint({
    id: 'updateUserRole',
    title: 'Update user role',
    goals: ['Give a person a role or privileges'],
    path: '/portals/:portalId/updateUserRole',
    asksFor: { username: (user) => ({ user, role: 'org_user' }) },
    parameters: {
      user: requiredText('Username.', { maxLength: usernameLength.max }),
      role: requiredText(
        'org_admin, org_publisher, org_user, org_viewer, or a custom role by its id, or by a name that no other has.',
      ),
      ...withoutEffect('userLicenseType'),
    },
    who: 'Administrators, and custom roles with portal:admin:changeUserRoles',
    summary: 'Changes the role of a user, effective immediately.',
    chosen: [
      'Only a default administrator can assign the administrator role. No caller can assign a role with more privileges than their own, or take one away with more administrative privileges.',
    ],
    example: { ids: { portalId }, parameters: { user: 'anna', role: 'org_publisher' }, answer: { success: true } },
    async answer({ ids, input, run }) {
      const change = mapParsed(input, ({ user, role }) => ({ user, role: roleNamed(role) }))
      await run({ portalId: ids.portalId, change })
      return success
    },
  }),
  ...(
    [
      ['disableUsers', 'Disable users', 'Disables sign-in and revokes all tokens of the users.', 'disableUsers'],
      ['enableUsers', 'Enable users', 'Enables sign-in again.', 'disableUsers'],
      ['removeUsers', 'Remove users', 'Deletes the users, each unless they own groups.', 'deleteUsers'],
    ] as const
  ).map(([id, title, summary, privilege]) =>
    endpoint({
      id,
      title,
      task: title.toLowerCase(),
      goals: ['Enable, disable or delete people'],
      path: `/portals/:portalId/${id}`,
      parameters: {
        users: requiredUsers,
      },
      who: `Administrators, and custom roles with portal:admin:${privilege}`,
      summary,
      source: 'observed',
      chosen: [
        'A user who is refused stays as before, with the reason beside status false; the others are changed.',
        'The last enabled administrator of an organization cannot be disabled or deleted.',
        governedUsers,
      ],
      answers: { json: settledUsersShape },
      example: {
        ids: { portalId },
        parameters: { users: 'anna' },
        answer: { results: [{ username: 'anna', status: true }] },
      },
      async answer({ ids, input, run }) {
        return { json: settledUsersToWire(await run({ portalId: ids.portalId, names: input })) }
      },
    }),
  ),
]
