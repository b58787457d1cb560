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

/** What drafts need of the storage of a browser. */
export interface TextStorage {
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
    storage.setItem(nameOfDraft(key), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function eraseDraft(storage: TextStorage, key: DraftKey): void {
  storage.removeItem(nameOfDraft(key))
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { categorySchema, baseVersion, origins, began, saved } = value as Partial<Draft>
  return (
    Array.isArray(categorySchema) &&
    categorySchema.every(isCategory) &&
    Number.isSafeInteger(baseVersion) &&
    Array.isArray(origins) &&
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
