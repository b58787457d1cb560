import { base } from '../navigation/navigation.ts'
import { keyOfOwner, type SchemaOwner } from '../owners/owners.ts'
import { signedIn } from '../session/session.ts'
import { Changes } from '../state/changes.ts'
import {
  adoptDrafts,
  type Draft,
  type DraftKey,
  type DraftPlace,
  eraseDraft,
  type HistoryPlace,
  listDraftOwners,
  nameOfDraft,
  nameOfHistory,
  readDraft,
  writeDraft,
} from './draft-store.ts'

/** Drafts of the signed-in person, in the storage of this browser: they outlive the page and the sign-in. */

/** Username of the person whose former drafts have been looked for. */
let adopted: string | undefined
/** Emits the name of the draft. */
const changes = new Changes<string>()

/** Stored draft of the signed-in person; there is none, and none is stored, if no person is signed in. */
export function draftPlace(owner: SchemaOwner): DraftPlace {
  const key = draftKey(owner)
  const name = key && nameOfDraft(key)
  const report = () => name && changes.emit(name)
  return {
    load: () => key && readDraft(window.localStorage, key),
    save(draft) {
      const isStored = key !== undefined && writeDraft(window.localStorage, key, draft)
      if (isStored) report()
      return isStored
    },
    remove() {
      if (key) eraseDraft(window.localStorage, key)
      report()
    },
    watch(listener) {
      const stop = changes.watch((changed) => {
        if (changed === name) listener()
      })
      const onStorage = (event: StorageEvent) => {
        if (event.key === null || event.key === name) listener()
      }
      window.addEventListener('storage', onStorage)
      return () => {
        stop()
        window.removeEventListener('storage', onStorage)
      }
    },
  }
}

/** Undo history of the signed-in person's draft. The storage of the tab has it, so that it takes no space from drafts. */
export function historyPlace(owner: SchemaOwner): HistoryPlace | undefined {
  const key = draftKey(owner)
  if (!key) return undefined
  const name = nameOfHistory(key)
  return {
    load: () => window.sessionStorage.getItem(name) ?? undefined,
    save(text) {
      try {
        window.sessionStorage.setItem(name, text)
      } catch {
        window.sessionStorage.removeItem(name)
      }
    },
    remove: () => window.sessionStorage.removeItem(name),
  }
}

export function loadDraft(owner: SchemaOwner): Draft | undefined {
  return draftPlace(owner).load()
}

/** Keys of the owners for which the person has drafts in this browser. */
export function listOwnersOfDrafts(): readonly string[] {
  const person = present()
  return person ? listDraftOwners(window.localStorage, person) : []
}

function draftKey(owner: SchemaOwner): DraftKey | undefined {
  const person = present()
  return person && { ...person, owner: keyOfOwner(owner) }
}

/** The signed-in person in the names of drafts. */
function present(): Omit<DraftKey, 'owner'> | undefined {
  const person = signedIn()
  if (!person) return undefined
  const key = { server: base.pathname, portalId: person.portal.id, username: person.username }
  if (adopted !== key.username) adoptDrafts(window.localStorage, key)
  adopted = key.username
  return key
}
