import type { Call } from '../../call/call.ts'
import { callerOf } from '../../directory/groups/admission.ts'
import type { User } from '../../directory/user.ts'
import { findNamedUser } from '../../directory/users/named-user.ts'
import { draftChanged, operationRefused, PortalError, resourceNotFound } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import type { HistoryReaders } from '../history/store.ts'
import { type OwnerInput, requireAssignable, requireDeletable } from '../owners.ts'
import type { CategoryReaders, SchemaOwner } from '../store.ts'
import type { SchemaDraft, StoredDraft } from './draft.ts'
import type { DraftReader } from './store.ts'

/** Conditions of operations on drafts. */

export async function requireDraft(
  { drafts }: { readonly drafts: DraftReader },
  owner: SchemaOwner,
  draftId: string,
): Promise<StoredDraft> {
  const draft = await drafts.findDraft(owner, draftId)
  if (!draft) throw resourceNotFound()
  return draft
}

export function requireRevision(
  { revision, savedRevision, savedBy, savedAt, stateBy, stateAt }: SchemaDraft,
  ifRevision: number | undefined,
): void {
  if (ifRevision === undefined || ifRevision === revision) return
  const isSaved = savedRevision === revision
  const at = new Date((isSaved ? undefined : stateAt) ?? savedAt).toISOString().replace(/\.\d+Z$/, 'Z')
  const username = isSaved ? savedBy : (stateBy ?? savedBy)
  throw draftChanged(
    say(isSaved ? 'draftSavedBy' : 'draftStateBy', { revision, expected: ifRevision, username, time: at }),
  )
}

/** The version that a draft is based on, which has to be one that there was. */
export async function requireBase(
  { schemaHistory }: HistoryReaders,
  owner: SchemaOwner,
  baseVersion: number | undefined,
): Promise<number> {
  const present = (await schemaHistory.findHead(owner))?.version ?? 0
  if (baseVersion === undefined || baseVersion <= present) return baseVersion ?? present
  throw operationRefused(`baseVersion: ${say('baseUnknown', { version: present, expected: baseVersion })}`)
}

/** The username of a person who may assign the schema. */
export async function requireReviewer(
  stores: CategoryReaders,
  call: Call,
  { owner }: OwnerInput,
  { action }: StoredDraft,
  named: string,
): Promise<User> {
  const user = await findNamedUser(stores, named)
  if (!user || user.disabled || user.portalId !== call.caller?.portalId) {
    throw operationRefused(`to: ${say('reviewerUnknown', { username: named })}`)
  }
  try {
    const requireAllowed = action === 'delete' ? requireDeletable : requireAssignable
    await requireAllowed(stores, { ...call, caller: await callerOf(stores, user) }, { owner })
  } catch (error) {
    if (!(error instanceof PortalError)) throw error
    throw operationRefused(`to: ${say('reviewerMayNot', { username: user.username })}`)
  }
  return user
}
