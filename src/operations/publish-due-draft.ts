import { type AuditDetails, nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { SchemaDraft } from '../categories/drafts/draft.ts'
import { publishDueDraftAs } from '../categories/drafts/operations.ts'
import { ownerNames } from '../categories/owners.ts'
import { callerOf } from '../directory/groups/admission.ts'
import { OperationRefused, PortalError, permissionDenied } from '../errors.ts'
import { DamagedDocument, type Stores } from '../storage/storage.ts'

/**
 * Publishes the draft whose time came first, as the person who set the time and with the rights that this person has now. One
 * that is refused is failed, with the reason. Several servers may do so concurrently: only one of them finds the draft.
 */
export async function publishDueDraft(
  stores: Stores,
  call: Call,
): Promise<WithAuditDetails & { readonly isIdle: boolean }> {
  const draft = await stores.drafts.findDueDraft(call.now)
  if (!draft) return { isIdle: true, audit: nothingDone }
  const { portalId, draftId, name, stateBy: username } = draft
  const [kind, path, owner] = ownerWords(draft)
  const entry = { operation: `publish${kind}SchemaDraft`, target: `${path}/categorySchema/drafts/${draftId}/publish` }
  const by = { ...entry, portalId, ...(username !== undefined && { username }) } as AuditDetails
  try {
    const { audit } = await publishDueDraftAs(stores, await callOf(stores, call, draft), { owner, draftId })
    return { isIdle: false, audit: { ...by, ...(audit as AuditDetails) } }
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    await stores.drafts.putProgress(draftId, { ...draft, state: 'failed', stateAt: call.now, note: refusal.sentence })
    return { isIdle: false, audit: { ...by, outcome: refusal.code, data: { draft: name } } }
  }
}

function ownerWords({ owner }: SchemaDraft) {
  return owner.kind === 'group'
    ? ([ownerNames.group, `/community/groups/${owner.groupId}`, { kind: 'group', id: owner.groupId }] as const)
    : ([ownerNames.portal, `/portals/${owner.portalId}`, { kind: 'portal', id: owner.portalId }] as const)
}

/** The call of the person who has set the time; someone who got the username of a deleted user since is another person. */
async function callOf(stores: Stores, call: Call, { stateBy, stateAt, portalId }: SchemaDraft): Promise<Call> {
  const user = stateBy === undefined ? undefined : await stores.directory.findUser(stateBy)
  if (!user || user.disabled || user.portalId !== portalId || user.createdAt > (stateAt ?? 0)) throw permissionDenied()
  return { ...call, caller: await callerOf(stores, user) }
}

/** Longest reason that is kept with a draft (chosen). */
const maxSentence = 1_000

/** Refusal as a caller would have been answered; undefined for an unexpected error. */
function refusalOf(error: unknown): { readonly code: number; readonly sentence: string } | undefined {
  if (error instanceof OperationRefused) return { code: 400, sentence: error.message.slice(0, maxSentence) }
  if (error instanceof DamagedDocument) return { code: 500, sentence: 'The draft is damaged: restore a backup.' }
  if (!(error instanceof PortalError)) return undefined
  const sentences = [error.message, ...error.details, ...error.reasons]
  return { code: error.code, sentence: sentences.join(' ').slice(0, maxSentence) }
}
