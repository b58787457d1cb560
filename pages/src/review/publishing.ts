import { canonicalText } from '../../../src/categories/canonical.ts'
import type { Move } from '../../../src/categories/moves.ts'
import { ApiError } from '../api/call.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { loadDraft } from '../drafts/drafts.ts'
import { movesToPublish } from '../drafts/moves-to-publish.ts'
import { assignPath, type SchemaOwner } from '../owners/owners.ts'
import type { PresentSchema, SchemaPlan } from '../schemas/answers.ts'
import { planSchema, readOwnerTitle, readPresent } from '../schemas/requests.ts'
import { post } from '../session/session.ts'
import { changeDraft } from '../shared-drafts/requests.ts'
import type { KeptNow } from '../shared-drafts/saving.ts'
import { type EndedDraft, settleDraft } from '../shared-drafts/send-draft.ts'

/** Plan of publishing the draft now. */
export interface Planned {
  /** Draft that was planned; another tab may have stored a different one meanwhile. */
  readonly draft: Draft
  readonly plan: SchemaPlan
  readonly declared: readonly Move[]
}

/** Draft of an owner beside the published schema. */
export interface Reviewed {
  readonly owner: SchemaOwner
  readonly title: string
  readonly present: PresentSchema
  readonly draft: Draft | undefined
  /** Undefined if the draft is equal to the published schema, or based on another version. */
  readonly planned: Planned | undefined
  /** Draft of this browser that another person has published or deleted. */
  readonly ended: EndedDraft | undefined
}

export async function loadReview(owner: SchemaOwner, signal: AbortSignal): Promise<Reviewed> {
  const ended = await settleDraft(owner, signal)
  const [present, title] = await Promise.all([readPresent(owner, signal), readOwnerTitle(owner, signal)])
  const draft = loadDraft(owner)
  if (!draft || draft.baseVersion !== present.version || isSame(draft, present)) {
    return { owner, title, present, draft, planned: undefined, ended }
  }
  const { declared } = movesToPublish(present, draft)
  const plan = await planSchema(owner, parametersOf(present, draft), signal)
  return { owner, title, present, draft, planned: { draft, plan, declared }, ended }
}

/**
 * Publishes the plan as the draft that the server has, which the version names then, and returns the version; undefined in a
 * conflict with another one. What the server does not keep, as it has too many drafts, is published as it is.
 */
export async function publish(
  owner: SchemaOwner,
  before: PresentSchema,
  { draft, plan }: Planned,
  { comment, kept }: { readonly comment: string | undefined; readonly kept: KeptNow | undefined },
): Promise<number | undefined> {
  try {
    if (kept) return (await changeDraft(owner, kept, 'publish')).version
    const parameters = parametersOf(before, { ...draft, comment })
    return (await post<{ readonly version: number }>(assignPath(owner), parameters)).version
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 409 || error.code === 404))) throw error
    // The conflict may be with an earlier attempt of the same draft, whose answer was lost.
    const { hash, version = 0 } = await readPresent(owner)
    return hash === plan.resultHash && version === (before.version ?? 0) + 1 ? version : undefined
  }
}

/** Whether the stored draft is still the planned one, except for its comment and where it is kept. */
export function isUnedited(planned: Draft, stored: Draft | undefined): boolean {
  const contentOf = (draft: Draft | undefined) =>
    JSON.stringify({ ...draft, comment: undefined, kept: undefined, isTried: undefined })
  return contentOf(planned) === contentOf(stored)
}

export function isSame(draft: Draft, present: PresentSchema): boolean {
  return canonicalText(draft) === canonicalText(present)
}

function parametersOf(present: PresentSchema, draft: Draft) {
  const { all } = movesToPublish(present, draft)
  const { categorySchema, baseVersion, comment, vanishing } = draft
  return {
    categorySchema: JSON.stringify({ categorySchema }),
    ifVersion: baseVersion,
    moves: all.length > 0 ? JSON.stringify(all) : undefined,
    comment: comment?.trim() || undefined,
    vanishing,
  }
}
