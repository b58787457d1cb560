import type { Move } from '../../../src/categories/moves.ts'
import type { Category } from '../../../src/categories/schema.ts'

/** A category schema that is being edited and is not published. */
export interface Draft {
  /** The trees as they are so far; they may violate limits. */
  readonly categorySchema: readonly Category[]
  /** Version of the published schema that the draft began with; 0 if there never was one. */
  readonly baseVersion: number
  /**
   * For each category, in the order of the document, the path that it had in the base; null for one that is new. This is
   * what tells a renamed or moved category from a removed and an added one.
   */
  readonly origins: readonly (string | null)[]
  /** Milliseconds since 1970 of the first edit, and of the last. */
  readonly began: number
  readonly saved: number
  /** What the person has entered for publishing it so far. */
  readonly moves?: readonly Move[] | undefined
  readonly comment?: string | undefined
  readonly vanishing?: 'keep' | 'refuse' | 'clear' | undefined
}

/** Whose draft of what: one person may edit several schemas, and several persons may use one browser. */
export interface DraftKey {
  readonly portalId: string
  readonly username: string
  /** `organization`, or `group:<id>`. */
  readonly owner: string
}

/** Where the draft of one person of one schema is stored. It stays theirs when their session ends. */
export interface DraftPlace {
  load(): Draft | undefined
  /** False if the browser did not store it. */
  save(draft: Draft): boolean
  /** After it is published or discarded. */
  remove(): void
  /** Calls back after each change of the draft, in other tabs too; answers the function that ends this. */
  watch(listener: () => void): () => void
}

/** What drafts need of the storage of a browser. */
export interface TextStorage {
  readonly length: number
  key(index: number): string | null
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

/** The name of a draft in the storage. Its parts are encoded, so that no two drafts share a name. */
export function nameOfDraft({ portalId, username, owner }: DraftKey): string {
  return ['cartulary.draft', ...[portalId, username, owner].map(encodeURIComponent)].join('/')
}

/** The stored draft; undefined if there is none, or if what is stored is no draft. */
export function readDraft(storage: TextStorage, key: DraftKey): Draft | undefined {
  const text = storage.getItem(nameOfDraft(key))
  if (text === null) return undefined
  try {
    const value = JSON.parse(text) as Draft
    return isDraft(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** False if the browser did not store it: its space is used up, or it stores nothing. */
export function writeDraft(storage: TextStorage, key: DraftKey, draft: Draft): boolean {
  try {
    setAsideDamaged(storage, key)
    storage.setItem(nameOfDraft(key), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

/** A text that is no draft stays: it is removed only by the person who was asked. */
export function eraseDraft(storage: TextStorage, key: DraftKey): void {
  if (readDraft(storage, key)) storage.removeItem(nameOfDraft(key))
}

/** Owners of which a person has drafts that can be read, as `DraftKey` has them. */
export function listDraftOwners(
  storage: TextStorage,
  { portalId, username }: Omit<DraftKey, 'owner'>,
): readonly string[] {
  const start = nameOfDraft({ portalId, username, owner: '' })
  return listNames(storage)
    .filter((name) => name.startsWith(start))
    .map((name) => decode(name.slice(start.length)))
    .filter((owner) => owner !== undefined)
    .filter((owner) => readDraft(storage, { portalId, username, owner }) !== undefined)
    .sort()
}

/** A text that was stored for a draft and cannot be read as one. */
export interface DamagedDraft {
  /** Its name in the storage. */
  readonly name: string
  readonly text: string
}

/** What of the drafts of an owner cannot be read: what was set aside, and what is in the place of the draft. */
export function listDamagedDrafts(storage: TextStorage, key: DraftKey): readonly DamagedDraft[] {
  const start = `${nameOfDamaged(key)}/`
  const unread = readDraft(storage, key) === undefined && storage.getItem(nameOfDraft(key)) !== null
  return [
    ...listNames(storage)
      .filter((name) => name.startsWith(start))
      .sort(),
    ...(unread ? [nameOfDraft(key)] : []),
  ].map((name) => ({ name, text: storage.getItem(name) ?? '' }))
}

/** Moves a text that is no draft out of the way of the next one. Throws where there is no room: then it stays in its place. */
function setAsideDamaged(storage: TextStorage, key: DraftKey): void {
  const name = nameOfDraft(key)
  const text = storage.getItem(name)
  if (text === null || readDraft(storage, key) !== undefined) return
  let number = 1
  while (storage.getItem(`${nameOfDamaged(key)}/${number}`) !== null) number += 1
  // The space of a full storage is enough for the text only once.
  storage.removeItem(name)
  try {
    storage.setItem(`${nameOfDamaged(key)}/${number}`, text)
  } catch (error) {
    storage.setItem(name, text)
    throw error
  }
}

function nameOfDamaged(key: DraftKey): string {
  return nameOfDraft(key).replace('cartulary.draft/', 'cartulary.damagedDraft/')
}

/** Undefined for a name that is not one of ours. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function listNames(storage: TextStorage): readonly string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { categorySchema, baseVersion, origins, began, saved, moves = [], comment = '' } = value as Partial<Draft>
  return (
    Array.isArray(categorySchema) &&
    categorySchema.every(isCategory) &&
    Number.isSafeInteger(baseVersion) &&
    Array.isArray(origins) &&
    origins.every((origin) => origin === null || typeof origin === 'string') &&
    Array.isArray(moves) &&
    moves.every((move) => typeof move?.from === 'string' && typeof move.to === 'string') &&
    typeof comment === 'string' &&
    typeof began === 'number' &&
    typeof saved === 'number'
  )
}

function isCategory(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { title, description, source, categories } = value as Record<string, unknown>
  return (
    [title, description, source].every((text) => text === undefined || typeof text === 'string') &&
    (categories === undefined || (Array.isArray(categories) && categories.every(isCategory)))
  )
}
