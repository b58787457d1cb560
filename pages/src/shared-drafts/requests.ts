import type { Parameters } from '../api/parameters.ts'
import { type SchemaOwner, schemaPath } from '../owners/owners.ts'
import { checkPermission } from '../schemas/requests.ts'
import { call, post, signedIn } from '../session/session.ts'
import type { DraftSummary, SavedDraft, WholeDraft } from './answers.ts'

/** API requests about drafts that are kept on the server. */

const draftsPath = (owner: SchemaOwner) => `${schemaPath(owner)}/drafts`
const draftPath = (owner: SchemaOwner, id: string) => `${draftsPath(owner)}/${encodeURIComponent(id)}`

export async function listDrafts(owner: SchemaOwner, signal?: AbortSignal): Promise<readonly DraftSummary[]> {
  return (await call<{ readonly drafts: readonly DraftSummary[] }>(draftsPath(owner), {}, { signal })).drafts
}

export function readDraft(owner: SchemaOwner, id: string, signal?: AbortSignal): Promise<WholeDraft> {
  return call(draftPath(owner, id), {}, { signal })
}

/** Keeps content, or a deletion or restore, as a draft. */
export function createDraft(owner: SchemaOwner, name: string, content: Parameters): Promise<SavedDraft> {
  return post(draftsPath(owner), { name, ...content })
}

/** Changes content, or the name, of a draft. */
export function updateDraft(
  owner: SchemaOwner,
  { id, revision }: Pick<DraftSummary, 'id' | 'revision'>,
  content: Parameters,
): Promise<SavedDraft> {
  return post(`${draftPath(owner, id)}/update`, { ifRevision: revision, ...content })
}

/** Change of a draft that was looked at, as of this revision. */
export type Verb = 'propose' | 'return' | 'publish' | 'delete'

export function changeDraft<Answer = { readonly version?: number }>(
  owner: SchemaOwner,
  { id, revision }: Pick<DraftSummary, 'id' | 'revision'>,
  verb: Verb,
  parameters: Parameters = {},
  signal?: AbortSignal,
): Promise<Answer> {
  return post(`${draftPath(owner, id)}/${verb}`, { ifRevision: revision, ...parameters }, signal)
}

/** Whether a second person has to publish changes of the owner's schema. */
export function needsSecondPerson({ kind }: SchemaOwner): boolean {
  const approval = signedIn()?.portal.categoryApproval
  return approval === 'all' || (approval === 'organization' && kind === 'organization')
}

/** Whether the person may change the drafts of the owner. */
export async function mayChangeDrafts(owner: SchemaOwner, signal: AbortSignal): Promise<boolean> {
  return (await checkPermission(owner, 'createPortalSchemaDraft', 'createGroupSchemaDraft', signal)).allowed
}
