import type { Parameters } from '../api/parameters.ts'
import { type SchemaOwner, schemaPath } from '../owners/owners.ts'
import type { SchemaPlan } from '../schemas/answers.ts'
import { checkPermission } from '../schemas/requests.ts'
import { call, post, signedIn } from '../session/session.ts'
import type { DraftContent, DraftSummary, SavedDraft, WholeDraft } from './answers.ts'

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

export function updateDraft(
  owner: SchemaOwner,
  id: string,
  ifRevision: number,
  content: DraftContent,
): Promise<SavedDraft> {
  return post(`${draftPath(owner, id)}/update`, { ifRevision, ...content })
}

/** Returns the next revision. */
export async function renameDraft(
  owner: SchemaOwner,
  { id, revision }: Pick<DraftSummary, 'id' | 'revision'>,
  name: string,
): Promise<number> {
  return (await post<SavedDraft>(`${draftPath(owner, id)}/update`, { ifRevision: revision, name: name.trim() }))
    .revision
}

/** Change of a draft that was looked at, as of this revision. */
export type Verb = 'propose' | 'return' | 'publish' | 'delete'

export function changeDraft(
  owner: SchemaOwner,
  { id, revision }: Pick<DraftSummary, 'id' | 'revision'>,
  verb: Verb,
  parameters: Parameters = {},
): Promise<{ readonly version?: number }> {
  return post(`${draftPath(owner, id)}/${verb}`, { ifRevision: revision, ...parameters })
}

export function planDraft(
  owner: SchemaOwner,
  { id, revision }: Pick<DraftSummary, 'id' | 'revision'>,
  signal: AbortSignal,
): Promise<SchemaPlan> {
  return post(`${draftPath(owner, id)}/publish`, { ifRevision: revision, dryRun: true }, signal)
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
