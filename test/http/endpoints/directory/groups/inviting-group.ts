import { type Client, type Parameters, type StartOptions, startPortal } from '../../../../support/portal/portal.ts'

/** A private group of one owner, and people who may be invited to it. */
export async function openInvitingGroup(options: StartOptions = {}, parameters: Parameters = {}) {
  const portal = await startPortal(options)
  const admin = await portal.admin()
  const [owner, anna] = [await admin.invite('owner'), await admin.invite('anna')]
  const { id: groupId } = await admin.createGroup('Maps', parameters)
  await admin.post(`/community/groups/${groupId}/reassign`, { targetUsername: 'owner' })
  await admin.post(`/community/groups/${groupId}/removeUsers`, { users: 'admin' })
  const call = (client: Client, verb: string, given: Parameters = {}) =>
    client.post(`/community/groups/${groupId}/${verb}`, given)
  const invitations = async (client: Client) =>
    (await client.get(`/community/users/${client.username}/invitations`)).userInvitations
  const answer = async (client: Client, verb: string, invitationId?: string) =>
    client.post(
      `/community/users/${client.username}/invitations/${invitationId ?? (await invitations(client))[0].id}/${verb}`,
    )
  const types = async (client: Client) =>
    (await client.get(`/community/users/${client.username}/notifications`)).notifications.map(
      ({ type }: { type: string }) => type,
    )
  const membership = async (client: Client) => (await client.get(`/community/groups/${groupId}`)).userMembership
  return { portal, admin, owner, anna, groupId, call, invitations, answer, types, membership }
}
