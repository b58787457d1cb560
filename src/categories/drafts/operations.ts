import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import { type Call, requireCaller } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { mayAssignPortalSchema } from '../../directory/permissions.ts'
import { requireOwnPortal } from '../../directory/portal-operations.ts'
import { requireMayKeepMore } from '../../directory/quotas.ts'
import type { DirectoryStores, KeptBytes } from '../../directory/store.ts'
import type { MailedUser } from '../../directory/user.ts'
import { operationRefused, permissionDenied } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import type { SchemaPlan } from '../change/plan.ts'
import { emptySchema } from '../history/document-hash.ts'
import type { ChangeReaders, ChangeStores, HistoryReaders } from '../history/store.ts'
import { type EditableOwner, type OwnerInput, requireAssignable, requireHistory } from '../owners.ts'
import { measureSchema } from '../schema.ts'
import type { CategoryReaders } from '../store.ts'
import { requireBase, requireDraft, requireReviewer, requireRevision } from './conditions.ts'
import {
  type DraftContent,
  type DraftPeople,
  type DraftProgress,
  maxDrafts,
  openProgress,
  type SchemaDraft,
  type StoredDraft,
} from './draft.ts'
import { changeOf } from './drafted-change.ts'
import { notifyOfDraft, personsOf } from './notices.ts'
import { personOf, requireSecondPerson, withSaver } from './second-person.ts'
import type { DraftReader, DraftStore } from './store.ts'

/** Drafts of category schemas (chosen): those who may assign a schema share all drafts of it; who sees its versions reads them. */

interface WithDraftReader {
  readonly drafts: DraftReader
}
interface WithDraftStore {
  readonly drafts: DraftStore
}

interface WithAccounts {
  readonly items: KeptBytes
}

interface NamedDraft extends OwnerInput {
  readonly draftId: string
}

/** Drafts of an owner, the latest change first. */
export async function listSchemaDrafts(
  stores: CategoryReaders & WithDraftReader,
  call: Call,
  input: OwnerInput,
): Promise<readonly SchemaDraft[]> {
  return stores.drafts.listDrafts(await requireHistory(stores, call, input))
}

export async function readSchemaDraft(
  stores: CategoryReaders & WithDraftReader,
  call: Call,
  input: NamedDraft,
): Promise<StoredDraft> {
  return requireDraft(stores, await requireHistory(stores, call, input), input.draftId)
}

/** A draft that waits for a person, with the title of its group. */
export interface PendingDraft extends SchemaDraft {
  /** Undefined for the schema of the organization. */
  readonly groupTitle: string | undefined
}

/** Pending drafts that one answer lists at most (chosen). */
const maxPending = 50

/** Drafts that are proposed, sent back, scheduled or failed, of the schemas that the caller may assign. */
export async function listPendingSchemaDrafts(
  stores: CategoryReaders & WithDraftReader,
  call: Call,
  input: { readonly portalId: string },
): Promise<readonly PendingDraft[]> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  const { portalId } = portal
  // Asked of the store, as drafts of the organization would take the places of others in a list for who may not see them.
  const withPortal = mayAssignPortalSchema(caller, portalId)
  const { userId } = caller
  const pending: PendingDraft[] = []
  for (const draft of await stores.drafts.listPendingDrafts({ portalId, withPortal, userId }, maxPending)) {
    const { owner } = draft
    if (owner.kind === 'portal') pending.push({ ...draft, groupTitle: undefined })
    else {
      const group = await stores.directory.findGroup(owner.groupId)
      if (group) pending.push({ ...draft, groupTitle: group.title })
    }
  }
  return pending
}

/** Content of a new draft; by default, it is based on the present version. A deletion or restore has no document of its own. */
export interface NewDraft extends Omit<DraftContent, 'baseVersion' | 'document' | 'categories'> {
  readonly name: string
  readonly document: string | undefined
  readonly categories: number | undefined
  readonly baseVersion: number | undefined
}

/** Keeps a category schema without publishing it. */
export async function createSchemaDraft(
  stores: ChangeReaders & WithDraftStore & WithAccounts,
  call: Call,
  input: NamedDraft & { readonly draft: Parsed<NewDraft> },
): Promise<WithAuditDetails & { readonly draft: StoredDraft }> {
  const editable = await requireAssignable(stores, call, input)
  const { caller, owner, portalId } = editable
  const given = unwrapParsed(input.draft)
  const baseVersion = await requireBase(stores, owner, given.baseVersion)
  if ((await stores.drafts.listDrafts(owner)).length >= maxDrafts) {
    throw operationRefused(say('draftsFull', { max: maxDrafts }))
  }
  const { draftId } = input
  const by = { createdBy: caller.username, createdAt: call.now, savedBy: caller.username, savedAt: call.now }
  const people = { savers: personOf(caller) }
  const revisions = { revision: 1, savedRevision: 1, people }
  const content = { ...given, ...(await readContent(stores, call, input, given)), baseVersion }
  const draft = { draftId, portalId, owner, ...revisions, ...openProgress, ...by, ...content }
  await requireMayKeepDraft(stores, call, draft)
  await stores.drafts.addDraft(draft)
  return { draft, audit: auditOf(editable, draft) }
}

/** The document of a new draft; of a deletion or restore, what it would leave, if it could be published. */
async function readContent(
  stores: ChangeReaders,
  call: Call,
  input: OwnerInput,
  { document, categories, ...given }: NewDraft,
): Promise<Pick<DraftContent, 'document' | 'categories'>> {
  if (document !== undefined && categories !== undefined) return { document, categories }
  const empty = { document: JSON.stringify(emptySchema), categories: 0 }
  const accepted = await changeOf({ ...given, ...empty, baseVersion: undefined }, input).accept(stores, call)
  return accepted.document === undefined
    ? empty
    : { document: accepted.document, categories: measureSchema(JSON.parse(accepted.document)).categories }
}

/** The parts of a draft that change, and the revision that the caller has seen. */
export interface DraftChange extends Partial<Omit<DraftContent, 'action' | 'restoredFrom' | 'items'>> {
  readonly name?: string
  readonly ifRevision: number | undefined
}

/** Changes a draft; a proposal or a time of publication ends, as they were for what the draft was before. */
export async function updateSchemaDraft(
  stores: HistoryReaders & WithDraftStore & WithAccounts,
  call: Call,
  input: NamedDraft & { readonly change: Parsed<DraftChange> },
): Promise<WithAuditDetails & { readonly draft: StoredDraft }> {
  const editable = await requireAssignable(stores, call, input)
  const before = await requireDraft(stores, editable.owner, input.draftId)
  const { ifRevision, baseVersion: base, ...given } = unwrapParsed(input.change)
  requireRevision(before, ifRevision)
  const own = (['document', 'moves', 'vanishing'] as const).filter((part) => given[part] !== undefined)
  if (before.action !== 'assign' && own.length > 0) {
    throw operationRefused(
      'A deletion or restore has no categories, moves or vanishing of its own: create another draft.',
    )
  }
  const baseVersion = base === undefined ? before.baseVersion : await requireBase(stores, editable.owner, base)
  const isPending = before.state === 'proposed' || before.state === 'scheduled'
  const next = { revision: before.revision + 1 }
  const draft: StoredDraft = {
    ...before,
    ...given,
    ...(given.comment === '' && { comment: undefined }),
    baseVersion,
    ...(isPending && openProgress),
    ...next,
    savedRevision: next.revision,
    // The person who gives it another base answers for all of it; an app answers for nothing.
    people: {
      savers: withSaver(
        baseVersion === before.baseVersion || editable.caller.isApp ? before.people.savers : [],
        editable.caller,
      ),
    },
    savedBy: editable.caller.username,
    savedAt: call.now,
  }
  await requireMayKeepDraft(stores, call, draft, before)
  await stores.drafts.putDraft(draft)
  return { draft, audit: isSameSitting(before, draft) ? nothingDone : auditOf(editable, draft) }
}

/** Time between two saves of one person that are one sitting, in milliseconds (chosen). */
const sitting = 3_600_000

/** Whether a save goes on with the one before: programs that save by themselves do so every few seconds. */
function isSameSitting(before: StoredDraft, { name, savedBy, savedAt, baseVersion }: StoredDraft): boolean {
  const isSame = before.savedBy === savedBy && before.name === name && before.baseVersion === baseVersion
  return before.state === 'open' && isSame && savedAt - before.savedAt < sitting
}

/** Bytes of a draft count for who saved it last. */
async function requireMayKeepDraft(stores: WithAccounts, call: Call, draft: StoredDraft, before?: StoredDraft) {
  const bytesOf = ({ document, moves }: StoredDraft) =>
    Buffer.byteLength(document) + Buffer.byteLength(JSON.stringify(moves))
  const freed = before?.savedBy === draft.savedBy ? bytesOf(before) : 0
  const more = { items: 0, bytes: bytesOf(draft) - freed }
  if (more.bytes > 0) await requireMayKeepMore(stores, call, requireCaller(call), more)
}

export async function deleteSchemaDraft(
  stores: CategoryReaders & WithDraftStore,
  call: Call,
  input: NamedDraft & { readonly condition: Parsed<{ readonly ifRevision: number | undefined }> },
): Promise<WithAuditDetails> {
  const editable = await requireAssignable(stores, call, input)
  const draft = await requireDraft(stores, editable.owner, input.draftId)
  requireRevision(draft, unwrapParsed(input.condition).ifRevision)
  await stores.drafts.removeDraft(draft.draftId)
  return { audit: auditOf(editable, draft) }
}

/** A proposal to a person who is named, who may be notified by mail. */
export interface ProposedDraft {
  readonly recipient: MailedUser
  readonly name: string
  readonly by: string
}

export interface Proposal {
  /** Username; undefined where any other person may publish it. */
  readonly to: string | undefined
  readonly note: string | undefined
  readonly ifRevision: number | undefined
}

/** Proposes a draft to a second person, who publishes it or sends it back. */
export async function proposeSchemaDraft(
  stores: ChangeReaders & DirectoryStores & WithDraftStore,
  call: Call,
  input: NamedDraft & { readonly proposal: Parsed<Proposal> },
): Promise<WithAuditDetails & { readonly proposed: ProposedDraft | undefined }> {
  const editable = await requireAssignable(stores, call, input)
  const before = await requireDraft(stores, editable.owner, input.draftId)
  const { to, note, ifRevision } = unwrapParsed(input.proposal)
  requireRevision(before, ifRevision)
  const reviewer = to === undefined ? undefined : await requireReviewer(stores, call, input, before, to)
  if (reviewer?.username === editable.caller.username) throw operationRefused(`to: ${say('reviewerIsYou')}`)
  // A draft that could not be published is not proposed; its base may be an earlier version, as the other person may merge it.
  const judged = { ...before, moves: [], vanishing: undefined, baseVersion: undefined }
  await changeOf(judged, input).accept(stores, call)
  const [proposer = before.people.proposer] = personOf(editable.caller)
  const people = { savers: before.people.savers, ...(proposer && { proposer }) }
  const draft = counted(before, people)
  const progress = { state: 'proposed', note, reviewer: reviewer?.username, publishAt: undefined } as const
  const done = await putState(stores, call, editable, draft, progress)
  if (!reviewer) return { ...done, proposed: undefined }
  const by = editable.caller.username
  await notifyOfDraft(stores, call, draft, { type: 'draft_proposed', to: [reviewer], by })
  const { username, email, portalId } = reviewer
  const organization = (await stores.directory.findPortal(portalId))?.name ?? ''
  return { ...done, proposed: { recipient: { username, email, organization }, name: draft.name, by } }
}

/** Sends a draft back to who wrote it; a proposal, or a time of publication, ends. */
export async function returnSchemaDraft(
  stores: CategoryReaders & DirectoryStores & WithDraftStore,
  call: Call,
  input: NamedDraft & { readonly answer: Parsed<{ readonly note: string; readonly ifRevision: number | undefined }> },
): Promise<WithAuditDetails> {
  const editable = await requireAssignable(stores, call, input)
  const before = await requireDraft(stores, editable.owner, input.draftId)
  const { note, ifRevision } = unwrapParsed(input.answer)
  requireRevision(before, ifRevision)
  if (before.state !== 'proposed' && before.state !== 'scheduled') {
    throw operationRefused(say('nothingToReturn'))
  }
  const to = personsOf(before)
  await notifyOfDraft(stores, call, before, { type: 'draft_returned', to, by: editable.caller.username })
  return putState(stores, call, editable, counted(before, { savers: before.people.savers }), {
    state: 'returned',
    note,
    reviewer: undefined,
    publishAt: undefined,
  })
}

function counted(draft: StoredDraft, people: DraftPeople): StoredDraft {
  return { ...draft, revision: draft.revision + 1, people }
}

export interface Publication {
  readonly ifRevision: number | undefined
  /** Epoch milliseconds; undefined for now. */
  readonly publishAt: number | undefined
}

/** Publishes a draft now, as an assign does, or says when it is to be published. A published draft is removed. */
export async function publishSchemaDraft(
  stores: ChangeStores & WithDraftStore,
  call: Call,
  input: NamedDraft & { readonly publication: Parsed<Publication> },
): Promise<WithAuditDetails & { readonly version?: number }> {
  const editable = await requireAssignable(stores, call, input)
  const draft = await requireDraft(stores, editable.owner, input.draftId)
  const { ifRevision, publishAt } = unwrapParsed(input.publication)
  requireRevision(draft, ifRevision)
  if (publishAt === undefined) {
    return publishDraft(stores, call, input, draft, { ifRevision, publisher: editable.caller.username })
  }
  await changeOf(draft, input).accept(stores, call)
  await requireSecondPerson(stores, editable, draft, ifRevision)
  const { note, reviewer } = draft
  const [scheduler] = personOf(editable.caller)
  const scheduled = { ...draft, people: { ...draft.people, ...(scheduler && { scheduler }) } }
  return putState(stores, call, editable, scheduled, { state: 'scheduled', note, reviewer, publishAt })
}

/** Plan of publishing a draft, or the error that it would be refused with. */
export async function planSchemaDraft(
  stores: ChangeReaders & WithDraftReader,
  call: Call,
  input: NamedDraft & { readonly publication: Parsed<Publication> },
): Promise<SchemaPlan> {
  const { owner } = await requireAssignable(stores, call, input)
  const draft = await requireDraft(stores, owner, input.draftId)
  requireRevision(draft, unwrapParsed(input.publication).ifRevision)
  return changeOf(draft, input).plan(stores, call)
}

/** Publishes a draft whose time has come, as the caller who has set the time. */
export async function publishDueDraftAs(
  stores: ChangeStores & WithDraftStore,
  call: Call,
  input: NamedDraft,
): Promise<WithAuditDetails & { readonly version: number }> {
  const { caller, owner } = await requireAssignable(stores, call, input)
  const draft = await requireDraft(stores, owner, input.draftId)
  const { scheduler } = draft.people
  if (scheduler && scheduler.userId !== caller.userId) throw permissionDenied()
  // A change would have ended the time.
  return publishDraft(stores, call, input, draft, { ifRevision: draft.revision, publisher: '' })
}

async function publishDraft(
  stores: ChangeStores & WithDraftStore,
  call: Call,
  input: OwnerInput,
  draft: StoredDraft,
  { ifRevision, publisher }: { readonly ifRevision: number | undefined; readonly publisher: string },
): Promise<WithAuditDetails & { readonly version: number }> {
  const { draftId: id, name, savedBy, note, people } = draft
  const proposed = people.proposer && { proposedBy: people.proposer.username, ...(note !== undefined && { note }) }
  const { version, audit } = await changeOf(draft, input).publish(stores, call, {
    requireApproval: (_, accepted) => requireSecondPerson(stores, accepted, draft, ifRevision),
    draft: { id, name, savedBy, ...proposed },
  })
  await stores.drafts.removeDraft(id)
  await notifyOfDraft(stores, call, draft, { type: 'draft_published', to: personsOf(draft), by: publisher })
  const details = audit as Exclude<typeof audit, string | readonly unknown[]>
  return { version, audit: { ...details, data: { ...details.data, draft: name, savedBy, ...proposed } } }
}

async function putState(
  { drafts }: WithDraftStore,
  { now }: Call,
  editable: EditableOwner,
  before: StoredDraft,
  given: Omit<DraftProgress, 'stateBy' | 'stateAt'>,
): Promise<WithAuditDetails> {
  const progress = { ...given, stateBy: editable.caller.username, stateAt: now }
  const { revision, people } = before
  await drafts.putProgress(before.draftId, { ...progress, revision, people })
  return { audit: auditOf(editable, { ...before, ...progress }) }
}

/** The log has the name of the draft, and what its state comes with. */
function auditOf({ ownerId }: EditableOwner, draft: SchemaDraft) {
  const { action, name, revision, note, reviewer, publishAt } = draft
  const data = {
    draft: name,
    revision,
    ...(action !== 'assign' && { action }),
    ...(note !== undefined && { note }),
    ...(reviewer !== undefined && { to: reviewer }),
    ...(publishAt !== undefined && { publishAt }),
  }
  return { data, ...(ownerId !== undefined && { ownerId }) }
}
