import { type AuditDetails, nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { SchemaDraft } from '../categories/drafts/draft.ts'
import { notifyOfDraft, personsOf } from '../categories/drafts/notices.ts'
import { publishDueDraftAs } from '../categories/drafts/operations.ts'
import type { Publisher } from '../categories/drafts/store.ts'
import { ownerNames } from '../categories/owners.ts'
import { callerOf } from '../directory/groups/admission.ts'
import { PortalError, permissionDenied } from '../errors.ts'
import { DamagedDocument, type Stores } from '../storage/storage.ts'

/**
 * Publishes the draft of a person whose time came first, with the rights that this person has now. One that is refused is failed,
 * with the reason, and so is one that `failure` is given for. Several servers may do so concurrently: one of them finds the draft.
 */
export async function publishDueDraft(
  stores: Stores,
  call: Call,
  { failure, ...publisher }: Publisher & { readonly failure?: string },
): Promise<WithAuditDetails> {
  const draft = await stores.drafts.findDueDraft(call.now, publisher)
  if (!draft) return { audit: nothingDone }
  const { portalId, draftId, name, stateBy: username } = draft
  const [kind, path, owner] = ownerWords(draft)
  const entry = { operation: `publish${kind}SchemaDraft`, target: `${path}/categorySchema/drafts/${draftId}/publish` }
  const by = { ...entry, portalId, ...(username !== undefined && { username }) } as AuditDetails
  const fail = async ({ code, sentence }: Refusal) => {
    await stores.drafts.putProgress(draftId, { ...draft, state: 'failed', stateAt: call.now, note: sentence })
    await notifyOfDraft(stores, call, draft, { type: 'draft_failed', to: personsOf(draft), by: '' })
    return { audit: { ...by, outcome: code, data: { draft: name } } }
  }
  if (failure !== undefined) return fail({ code: 500, sentence: failure })
  try {
    const { audit } = await publishDueDraftAs(stores, await callOf(stores, call, draft), { owner, draftId })
    return { audit: { ...by, ...(audit as AuditDetails) } }
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    return fail(refusal)
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

/** Maximum length of a reason that is kept with a draft (chosen). */
const maxSentence = 1_000

interface Refusal {
  readonly code: number
  readonly sentence: string
}

/** Refusal as a caller would have been answered; undefined for an unexpected error. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof DamagedDocument) {
    const what = error.place.startsWith('schema_drafts') ? 'draft' : 'published schema'
    return { code: 500, sentence: `The ${what} is damaged: restore a backup.` }
  }
  if (!(error instanceof PortalError)) return undefined
  const sentences = [error.message, ...(error.isOfTask ? [] : error.details), ...error.reasons]
  return { code: error.code, sentence: sentences.join(' ').slice(0, maxSentence) }
}
