import { type Draft, nameOfDraft } from '../../../pages/src/drafts/draft-store.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listCategories } from '../../../src/categories/schema-paths.ts'
import type { Application } from './application.ts'

interface KeptDraft {
  readonly schema: CategorySchema
  /** Paths in the base of categories that have another one now; null for new ones. The others have theirs. */
  readonly origins?: Readonly<Record<string, string | null>>
  readonly baseVersion?: number
  readonly username?: string
}

/** The names of the drafts in the storage. */
const names = `Object.keys(localStorage).filter((name) => name.startsWith('cartulary.draft/'))`

/** Keeps a draft of the organization's schema in the browser, as the editor does. */
export async function keepDraft(application: Application, draft: KeptDraft): Promise<void> {
  const { schema, origins = {}, baseVersion = 1, username = 'admin' } = draft
  const { id } = await (await application.portal.admin()).get('/portals/self')
  const kept: Draft = {
    categorySchema: schema.categorySchema,
    baseVersion,
    origins: listCategories(schema).map(({ path = '' }) => (path in origins ? origins[path]! : path)),
    began: 1,
    saved: 1,
  }
  const name = nameOfDraft({ server: '/', portalId: id, username, owner: 'organization' })
  await application.page.evaluate(([key, value]) => localStorage.setItem(key!, value!), [name, JSON.stringify(kept)])
}

/** How many drafts the browser has now. */
export function countDraftsNow({ page }: Application): Promise<number> {
  return page.evaluate<number>(`${names}.length`)
}

/** Removes what the browser has of drafts, as another tab does that discards them. */
export async function removeDrafts({ page }: Application): Promise<void> {
  await page.evaluate(`${names}.forEach((name) => localStorage.removeItem(name))`)
}
