import type { Move } from '../../../src/categories/moves.ts'
import type { Category } from '../../../src/categories/schema.ts'
import { isOrigin, type Origin } from './origin.ts'

/** A category schema that is edited and not published. */
export interface Draft {
  /** Present trees; they may violate limits. */
  readonly categorySchema: readonly Category[]
  /** Version of the published schema that the draft is based on; 0 if there never was one. */
  readonly baseVersion: number
  /**
   * Origin of each category in the base, in the order of the document. This distinguishes a renamed, moved or merged category
   * from a removed and an added one.
   */
  readonly origins: readonly Origin[]
  /** Milliseconds since 1970 of the first edit, and of the last. */
  readonly began: number
  readonly saved: number
  /** Input of the person for publishing it. */
  readonly moves?: readonly Move[] | undefined
  readonly comment?: string | undefined
  readonly vanishing?: 'keep' | 'refuse' | 'clear' | undefined
  /** The draft on the server that it is of, and `saved` as of when it was last the same; undefined if it is in this browser alone. */
  readonly kept?: KeptDraft | undefined
  /** Whether it was sent to the server as a new one, and no answer has come. */
  readonly isTried?: boolean | undefined
}

export interface KeptDraft {
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly saved: number
  /** Whether this browser began it: then it goes with the draft. */
  readonly isOwn?: boolean
  /** Whether the next revision was sent, and no answer has come. */
  readonly isSending?: boolean
}

/** Owner and editor of a draft: one person may edit several schemas, and several persons may use one browser. */
export interface DraftKey {
  /** Path of the server: another one of the origin may have a copy of its database. */
  readonly server: string
  readonly portalId: string
  readonly username: string
  /** `organization`, or `group:<id>`. */
  readonly owner: string
}

/** Stored draft of one person for one schema. It stays theirs when their session ends. */
export interface DraftPlace {
  load(): Draft | undefined
  /** Returns false if the browser did not store it. */
  save(draft: Draft): boolean
  /** Removes the draft after it is published or discarded. */
  remove(): void
  /** Calls back after each change of the draft, in other tabs too; returns the function that ends this. */
  watch(listener: () => void): () => void
}

/** Undo history of a draft in this tab, as a text. It is given up where the browser has no space for it. */
export interface HistoryPlace {
  load(): string | undefined
  save(text: string): void
  remove(): void
}

/** Part of the browser's storage that drafts use. */
export type TextStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>

/** Name of a draft in the storage. Its parts are encoded, so that no two drafts share a name. */
export function nameOfDraft({ server, portalId, username, owner }: DraftKey): string {
  return formatName([server, portalId, username, owner])
}

function formatName(parts: readonly string[]): string {
  return ['cartulary.draft', ...parts.map(encodeURIComponent)].join('/')
}

/** Gives a person's drafts of earlier versions, whose names have no path of a server, their present names. */
export function adoptDrafts(storage: TextStorage, person: Omit<DraftKey, 'owner'>): void {
  const { server, portalId, username } = person
  const [former, present] = [
    [portalId, username, ''],
    [server, portalId, username, ''],
  ].map(formatName)
  for (const name of listNames(storage).filter((one) => one.startsWith(former!))) {
    rename(storage, name, name.replace(former!, present!))
  }
}

/** Leaves a text where it is if the name is taken, or the storage has no room for a longer one. */
function rename(storage: TextStorage, from: string, to: string): void {
  const text = storage.getItem(from)
  if (text === null || storage.getItem(to) !== null) return
  // A full storage has space for the text only once.
  storage.removeItem(from)
  try {
    storage.setItem(to, text)
  } catch {
    storage.setItem(from, text)
  }
}

/** Stored draft; undefined if there is none, or if the stored text is not a draft. */
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

/** Returns false if the browser did not store it: its storage is full or disabled. */
export function writeDraft(storage: TextStorage, key: DraftKey, draft: Draft): boolean {
  try {
    storage.setItem(nameOfDraft(key), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function eraseDraft(storage: TextStorage, key: DraftKey): void {
  storage.removeItem(nameOfDraft(key))
}

/** Owners, as in `DraftKey`, for which a person has readable drafts. */
export function listDraftOwners(storage: TextStorage, person: Omit<DraftKey, 'owner'>): readonly string[] {
  const start = nameOfDraft({ ...person, owner: '' })
  return listNames(storage)
    .filter((name) => name.startsWith(start))
    .map((name) => decode(name.slice(start.length)))
    .filter((owner) => owner !== undefined)
    .filter((owner) => readDraft(storage, { ...person, owner }) !== undefined)
    .sort()
}

export function nameOfHistory(key: DraftKey): string {
  return nameOfDraft(key).replace('cartulary.draft/', 'cartulary.draftHistory/')
}

/** Decodes a part of a name; undefined if its encoding is not valid. */
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
    origins.every(isOrigin) &&
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
