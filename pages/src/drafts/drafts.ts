import { keyOfOwner, type SchemaOwner } from '../owners/owners.ts'
import { signedIn } from '../session/session.ts'
import {
  type DamagedDraft,
  type Draft,
  type DraftKey,
  eraseDraft,
  listDamagedDrafts,
  listDraftOwners,
  nameOfDraft,
  readDraft,
  writeDraft,
} from './draft-store.ts'

/** The drafts of the person who is signed in, in the storage of this browser: they outlive the page and the sign-in. */

const changes = new EventTarget()

export function loadDraft(owner: SchemaOwner): Draft | undefined {
  const key = draftKey(owner)
  return key && readDraft(window.localStorage, key)
}

/** False if the browser did not store it. */
export function saveDraft(owner: SchemaOwner, draft: Draft): boolean {
  const key = draftKey(owner)
  if (!key || !writeDraft(window.localStorage, key, draft)) return false
  changes.dispatchEvent(new CustomEvent('change', { detail: nameOfDraft(key) }))
  return true
}

/** After it is published or discarded. */
export function removeDraft(owner: SchemaOwner): void {
  const key = draftKey(owner)
  if (!key) return
  eraseDraft(window.localStorage, key)
  changes.dispatchEvent(new CustomEvent('change', { detail: nameOfDraft(key) }))
}

/** The owners of which the person has drafts in this browser, by their keys. */
export function listOwnersOfDrafts(): readonly string[] {
  const person = signedIn()
  return person ? listDraftOwners(window.localStorage, { portalId: person.portal.id, username: person.username }) : []
}

/** What was stored of drafts of an owner and cannot be read. */
export function findDamagedDrafts(owner: SchemaOwner): readonly DamagedDraft[] {
  const key = draftKey(owner)
  return key ? listDamagedDrafts(window.localStorage, key) : []
}

/** Wherever the text is by now: it may have been set aside since it was found. */
export function removeDamagedDraft(owner: SchemaOwner, { text }: DamagedDraft): void {
  for (const damaged of findDamagedDrafts(owner)) {
    if (damaged.text === text) window.localStorage.removeItem(damaged.name)
  }
}

/** Calls back after each change of the draft, in other tabs too; answers the function that ends this. */
export function watchDraft(owner: SchemaOwner, listener: () => void): () => void {
  const isMeant = (name: string | null) => {
    const key = draftKey(owner)
    return key !== undefined && (name === null || name === nameOfDraft(key))
  }
  const onChange = (event: Event) => {
    if (isMeant((event as CustomEvent<string>).detail)) listener()
  }
  const onStorage = (event: StorageEvent) => {
    if (isMeant(event.key)) listener()
  }
  changes.addEventListener('change', onChange)
  window.addEventListener('storage', onStorage)
  return () => {
    changes.removeEventListener('change', onChange)
    window.removeEventListener('storage', onStorage)
  }
}

function draftKey(owner: SchemaOwner): DraftKey | undefined {
  const person = signedIn()
  return person && { portalId: person.portal.id, username: person.username, owner: keyOfOwner(owner) }
}
