import { ApiError } from '../api/call.ts'
import type { Parameters } from '../api/parameters.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { draftPlace, loadDraft } from '../drafts/drafts.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import { listVersions, readSchema } from '../schemas/requests.ts'
import { signedIn } from '../session/session.ts'
import { formatMoment } from '../texts/formats.ts'
import { ofSharedDrafts as t } from '../texts/rooms.ts'
import type { DraftSummary, WholeDraft } from './answers.ts'
import { toContent, toLocalDraft } from './conversion.ts'
import { changeDraft, createDraft, listDrafts, readDraft, updateDraft } from './requests.ts'
import type { KeptNow, Sent } from './saving.ts'

/** Sends a draft of this browser to the server, as a new one or as the next revision of the one that it is of. */
export async function sendDraft(owner: SchemaOwner, draft: Draft): Promise<Sent> {
  try {
    const content = toContent(await readSchema(owner, draft.baseVersion), draft)
    const { kept } = draft
    if (!kept) {
      const name = t('ownName', { person: signedIn()?.username ?? '', began: formatMoment(draft.began) })
      // The answer to an earlier try may have been lost.
      const tried = draft.isTried && (await listOwnDrafts(owner)).find((one) => one.name === name)
      if (tried) return { kept: { ...tried, ...(await updateDraft(owner, tried, content)) } }
      const { draftId, revision } = await createDraft(owner, name, content)
      return { kept: { id: draftId, name, revision } }
    }
    const update = async (seen: KeptNow): Promise<Sent> => {
      const { revision } = await updateDraft(owner, seen, content)
      return { kept: { ...kept, revision } }
    }
    try {
      return await update(kept)
    } catch (error) {
      if (codeOf(error) !== 409) throw error
      const { revision, savedRevision, modifiedBy } = await readDraft(owner, kept.id)
      // One that was only proposed or sent back has the same content, and one revision may be that of an answer that was lost.
      const isOwn = kept.isSending && modifiedBy === signedIn()?.username && savedRevision === kept.revision + 1
      const isSavedHere = (loadDraft(owner)?.kept?.revision ?? 0) >= savedRevision
      if (savedRevision > kept.revision && !isOwn && !isSavedHere) return { savedBy: modifiedBy }
      return await update({ ...kept, revision })
    }
  } catch (error) {
    // Without its owner, or the right to see it, a new one is refused in the same way.
    if (codeOf(error) === 404 && draft.kept) return 'gone'
    return error instanceof ApiError && error.code < 500 && error.code !== 429 ? { refusal: error } : 'unreachable'
  }
}

/** Drafts that the person began and that no other person has saved, and that wait for none, the latest first. */
export async function listOwnDrafts(owner: SchemaOwner, signal?: AbortSignal): Promise<readonly DraftSummary[]> {
  const username = signedIn()?.username
  return (await listDrafts(owner, signal)).filter(
    ({ createdBy, modifiedBy, state, action }) =>
      createdBy === username && modifiedBy === username && state === 'open' && action === 'assign',
  )
}

/** Keeps a deletion or a restore as a draft, which a second person has to publish, and shows it. */
export async function keepAsDraft(owner: SchemaOwner, name: string, content: Parameters): Promise<void> {
  const { draftId } = await createDraft(owner, name, content)
  goTo(hrefTo(...screenOf(owner, 'Draft', { draft: draftId })))
}

/** Makes a draft of the server the one of this browser. */
export async function takeUp(owner: SchemaOwner, draft: WholeDraft): Promise<void> {
  const base = await readSchema(owner, draft.baseVersion)
  if (!draftPlace(owner).save(toLocalDraft(base, draft, Date.now()))) throw new Error(t('browserFull'))
}

/** End of a draft on the server: published as a version, or deleted. */
export interface EndedDraft {
  readonly name: string
  readonly version: number | undefined
  readonly by: string | undefined
}

/**
 * Brings a draft of this browser that the server has completely to its state there: taken over again if another person has saved
 * it, removed if it was published or deleted; then how it ended is returned.
 */
export async function settleDraft(owner: SchemaOwner, signal?: AbortSignal): Promise<EndedDraft | undefined> {
  const draft = loadDraft(owner)
  const kept = draft?.kept
  if (!kept || kept.saved !== draft.saved) return undefined
  try {
    const present = await readDraft(owner, kept.id, signal)
    if (present.savedRevision <= kept.revision) return undefined
    draftPlace(owner).save(toLocalDraft(await readSchema(owner, present.baseVersion, signal), present, Date.now()))
    return undefined
  } catch (error) {
    if (codeOf(error) !== 404) return undefined
  }
  // A person who does not see the versions any more may not see the draft either: it stays in the browser.
  const list = await listVersions(owner, 1, signal).catch(() => undefined)
  if (!list) return undefined
  const published = list.versions.find((version) => version.draft?.id === kept.id)
  draftPlace(owner).remove()
  return { name: kept.name, version: published?.version, by: published?.modifiedBy }
}

/** Removes a draft from this browser, and from the server if it was begun here. */
export async function discardDraft(owner: SchemaOwner): Promise<void> {
  const kept = loadDraft(owner)?.kept
  draftPlace(owner).remove()
  if (kept?.isOwn) await removeKept(owner, kept)
}

/** Removes a draft from the server; one that another person has changed meanwhile stays. */
export async function removeKept(owner: SchemaOwner, kept: KeptNow): Promise<void> {
  await changeDraft(owner, kept, 'delete').catch(() => undefined)
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : undefined)
