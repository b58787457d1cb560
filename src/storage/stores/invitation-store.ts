import type { Kysely } from 'kysely'
import { type InvitationState, invitationFields } from '../../collaborations/invitation.ts'
import type { CollaborationStore, InvitationSortField, InvitationStep } from '../../collaborations/store.ts'
import type { Rows } from '../tables/rows.ts'
import { mapper } from './mapper.ts'
import { count, findRow, paginate } from './select.ts'

type Invitations =
  | 'addInvitation'
  | 'findInvitation'
  | 'listInvitations'
  | 'countInvitationsByState'
  | 'listOpenInvitations'
  | 'changeInvitation'
  | 'listSteps'

const invitations = mapper(invitationFields)

export function invitationStore(db: Kysely<Rows>): Pick<CollaborationStore, Invitations> {
  const addStep = (invitationId: string, number: number, step: InvitationStep) =>
    db
      .insertInto('invitation_steps')
      .values({
        invitation_id: invitationId,
        step: number,
        event: step.event,
        from_state: step.from ?? null,
        to_state: step.to,
        username: step.username,
        happened_at: step.at,
      })
      .execute()
  return {
    async addInvitation(invitation, step) {
      await db.insertInto('invitations').values(invitations.toRow(invitation)).execute()
      await addStep(invitation.invitationId, invitation.revision, step)
    },
    findInvitation: (id) => findRow(db, 'invitations', { invitation_id: id }, invitations.toRecord),
    async listInvitations(collaborationId, { status, sortField, sortOrder }, page) {
      const all = db.selectFrom('invitations').where('collaboration_id', '=', collaborationId)
      const own = status === undefined ? all : all.where('state', '=', status)
      const rows = await paginate(
        own.selectAll().orderBy(sortColumns[sortField], sortOrder).orderBy('invitation_id', sortOrder),
        page,
      ).execute()
      return { total: await count(own), entries: rows.map(invitations.toRecord) }
    },
    async countInvitationsByState() {
      const rows = await db
        .selectFrom('invitations')
        .select(['state', ({ fn }) => fn.countAll<number>().as('total')])
        .groupBy('state')
        .execute()
      return new Map(rows.map(({ state, total }) => [state as InvitationState, Number(total)]))
    },
    async listOpenInvitations(collaborationId, guestPortalUrl) {
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('collaboration_id', '=', collaborationId)
        .where('guest_portal_url', '=', guestPortalUrl)
        .where('state', '=', 'host_created')
        .execute()
      return rows.map(invitations.toRecord)
    },
    async changeInvitation({ from, to, step }) {
      const revision = from.revision + 1
      const { numUpdatedRows } = await db
        .updateTable('invitations')
        .set({ ...invitations.toRow(to), revision })
        .where('invitation_id', '=', from.invitationId)
        .where('state', '=', from.state)
        .where('revision', '=', from.revision)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw new Error('The invitation was changed since it was read.')
      await addStep(from.invitationId, revision, step)
    },
    async listSteps(invitationId) {
      const rows = await db
        .selectFrom('invitation_steps')
        .selectAll()
        .where('invitation_id', '=', invitationId)
        .orderBy('step')
        .execute()
      return rows.map((row) => ({
        event: row.event as InvitationStep['event'],
        from: (row.from_state ?? undefined) as InvitationState | undefined,
        to: row.to_state as InvitationState,
        username: row.username,
        at: row.happened_at,
      }))
    },
  }
}

const sortColumns = {
  created: 'created_at',
  modified: 'modified_at',
  expiration: 'expires_at',
  status: 'state',
  guestPortalUrl: 'guest_portal_url',
} as const satisfies Record<InvitationSortField, keyof Rows['invitations']>
