import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import type { WireUser } from '../../../src/http/shapes/directory/user.ts'
import type { WireItem } from '../../../src/http/shapes/items/item.ts'
import type { IconName } from '../elements/icon-shapes.ts'
import { searchTermsOf } from '../forms/search-terms.ts'
import { hrefTo } from '../navigation/navigation.ts'
import type { PathName } from '../navigation/paths.ts'
import { schemaPath } from '../owners/owners.ts'
import { mayOpen } from '../session/may-open.ts'
import { call, may, signOut } from '../session/session.ts'
import { isDark, setTheme } from '../session/theme.ts'
import { formatTrail } from '../texts/formats.ts'
import type { TextKey } from '../texts/keys.ts'
import { ofPalette as t } from '../texts/rooms.ts'
import { hasWord } from '../texts/words.ts'

/** Finds of the palette: screens, deeds and categories on the page, people, groups and items on the server. */

export const kinds = ['pages', 'deeds', 'categories', 'people', 'groups', 'items'] as const
export type Kind = (typeof kinds)[number]

export interface Find {
  /** Address of its screen, or function that does it immediately. */
  readonly to: string | (() => unknown)
  readonly name: string
  /** Distinguishes it from others of that name. */
  readonly detail?: string
  readonly icon: IconName
}

/** Maximum finds of each kind (chosen). */
const maxFinds = 5

type Name = Exclude<TextKey<'palette'>, 'found' | 'palette'>

const screens: readonly (readonly [Name & PathName, IconName])[] = [
  ['home', 'home'],
  ['organizationSchema', 'tree'],
  ['organizationHistory', 'history'],
  ['organizationImport', 'upload'],
  ['groups', 'users'],
  ['content', 'folder'],
  ['newItem', 'plus'],
  ['coverage', 'gauge'],
  ['categoriesBySpreadsheet', 'table'],
  ['collaborations', 'share'],
  ['people', 'user'],
  ['newPeople', 'plus'],
  ['roles', 'shield'],
  ['requests', 'clock'],
  ['apps', 'key'],
  ['permissionCheck', 'check'],
  ['organizationSettings', 'building'],
  ['log', 'list'],
  ['system', 'gauge'],
  ['you', 'user'],
]

/** Deeds, each with the screen that it begins on, or the deed itself, and whether the person may do it. */
const deeds: readonly (readonly [Name, Find['to'], () => boolean])[] = [
  ['newGroup', hrefTo('groups', {}, { new: '1' }), () => may('createGroup')],
  ['invitePeople', hrefTo('newPeople'), () => may('inviteUsers')],
  ['importPeople', hrefTo('newPeople'), () => may('inviteUsers')],
  ['newCollaboration', hrefTo('newCollaboration'), () => may('createCollaboration')],
  ['inviteGuest', hrefTo('collaborations'), () => may('createCollaboration')],
  ['importItems', hrefTo('newItem'), () => may('addItem')],
  ['newApp', hrefTo('newItem'), () => may('addItem')],
  ['editSchema', hrefTo('organizationSchema'), () => may('assignPortalCategorySchema')],
  ['publishDraft', hrefTo('organizationDrafts'), () => may('assignPortalCategorySchema')],
  ['exportSchema', hrefTo('organizationImport'), () => may('assignPortalCategorySchema')],
  ['newRole', hrefTo('roles'), () => may('createRole')],
  ['setPolicy', hrefTo('organizationSettings'), () => may('updatePortal')],
  ['dark', () => setTheme('dark'), () => !isDark()],
  ['light', () => setTheme('light'), isDark],
  ['signOut', signOut, () => true],
]

/** Screens that the person may open; all of them where nothing is typed. */
export function findScreens(words: readonly string[]): readonly Find[] {
  return screens
    .filter(([name]) => mayOpen(name) && isFound(name, words))
    .slice(0, words.length === 0 ? screens.length : maxFinds)
    .map(([name, icon]) => ({ to: hrefTo(name), name: nameOf(name), icon }))
}

/** Deeds that the words mean. */
export function findDeeds(words: readonly string[]): readonly Find[] {
  if (words.length === 0) return []
  return deeds
    .filter(([name, , mayDo]) => mayDo() && isFound(name, words))
    .slice(0, maxFinds)
    .map(([name, to]) => ({ to, name: nameOf(name), icon: typeof to === 'string' ? 'plus' : 'check' }))
}

/** Whether each word is one of the name, or of those that stand for it in the text, after a bar. */
function isFound(name: Name, words: readonly string[]): boolean {
  return words.every((word) => hasWord(t(name), word))
}

function nameOf(name: Name): string {
  return t(name).split(' | ')[0]!
}

/** Searches of what is on the server, by kind; each answers what it finds. */
export const searches: Readonly<
  Record<Exclude<Kind, 'deeds' | 'pages'>, (words: readonly string[], signal: AbortSignal) => Promise<readonly Find[]>>
> = {
  categories: async (words, signal) => {
    const paths = listPaths(await call<CategorySchema>(schemaPath({ kind: 'organization' }), {}, { signal }))
    return paths
      .map((path) => ({ path, name: path.slice(path.lastIndexOf('/') + 1) }))
      .filter(({ name }) => words.every((word) => hasWord(name, word)))
      .slice(0, maxFinds)
      .map(({ path, name }) => ({
        to: hrefTo('content', {}, { category: path }),
        name,
        detail: formatTrail(path.slice(0, path.lastIndexOf('/'))),
        icon: 'tree',
      }))
  },
  people: async (words, signal) => {
    if (!may('searchPortalUsers')) return []
    const found = await search<WireUser>('/portals/self/users/search', words, signal)
    return found.map(({ username, fullName }) => ({
      to: hrefTo('person', { username }),
      name: fullName || username,
      ...(fullName && fullName !== username && { detail: username }),
      icon: 'user',
    }))
  },
  groups: async (words, signal) => {
    const found = await search<WireGroup>('/community/groups', words, signal)
    return found.map(({ id, title }) => ({ to: hrefTo('group', { group: id }), name: title, icon: 'users' }))
  },
  items: async (words, signal) => {
    const found = await search<WireItem>('/search', words, signal)
    return found.map(({ id, title, type }) => {
      return { to: hrefTo('item', { item: id }), name: title, detail: type, icon: 'file' }
    })
  },
}

async function search<Result>(path: string, words: readonly string[], signal: AbortSignal): Promise<readonly Result[]> {
  const q = searchTermsOf(words.join(' '))
  if (q === '') return []
  const { results } = await call<{ readonly results: readonly Result[] }>(path, { q, num: maxFinds }, { signal })
  return results
}
