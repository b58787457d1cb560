import { RewindableDatabase } from '../../../support/databases/rewindable-database.ts'
import { hostCollaboration } from '../../../support/portal/collaboration-host.ts'

/** A host that has invited a guest, and what changes behind it. */
export async function openInvited() {
  const database = await RewindableDatabase.open()
  const { portal } = database
  const host = await hostCollaboration(portal)
  const invitation = await host.invite()
  return { database, portal, host, invitation, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}
