import type { Parsed } from '../../call/parsed.ts'

export const layouts = ['path', 'levels', 'parent', 'indented'] as const
export type Layout = (typeof layouts)[number]

/** Levels that a table may name: more than a schema has, whose rules are applied later (chosen). */
export const maxLevels = 20

/** Roles of columns but those of levels, `level1`, `level2` and so on. */
export const plainRoles = ['path', 'title', 'id', 'parent', 'narrower', 'description', 'source', 'ignore'] as const
export type Role = (typeof plainRoles)[number] | `level${number}`

/** Positions of the cells of a category in a row; undefined for what the file does not have. */
export type Columns = PathColumns | LevelColumns | ParentColumns | { readonly layout: 'indented' }

interface Texts {
  readonly description: number | undefined
  readonly source: number | undefined
}

export interface PathColumns extends Texts {
  readonly layout: 'path'
  readonly path: number
  readonly id: number | undefined
}

export interface LevelColumns extends Texts {
  readonly layout: 'levels'
  /** Levels from the roots down, each with the description of its category if every level has one. */
  readonly levels: readonly { readonly title: number; readonly description: number | undefined }[]
  readonly id: number | undefined
}

export interface ParentColumns extends Texts {
  readonly layout: 'parent'
  readonly id: number | undefined
  readonly title: number
  readonly parent: number | undefined
  /** Column of the titles or ids of categories below, several in a cell. */
  readonly narrower: number | undefined
  /** Column by which a parent is named. */
  readonly by: 'id' | 'title' | 'either'
}

/** The number of a level's role; undefined for any other. */
export function levelOf(role: Role): number | undefined {
  const number = Number(/^level([1-9]\d?)$/.exec(role)?.[1])
  return number <= maxLevels ? number : undefined
}

/** Roles of the columns, for a person who may choose otherwise. */
export function rolesOf(columns: Columns, width: number): readonly Role[] {
  const roles = Array.from<Role>({ length: width }).fill('ignore')
  const set = (at: number | undefined, role: Role) => {
    if (at !== undefined && at < width) roles[at] = role
  }
  if (columns.layout === 'indented') {
    set(0, 'title')
    return roles
  }
  set(columns.description, 'description')
  set(columns.source, 'source')
  set(columns.id, 'id')
  if (columns.layout === 'path') set(columns.path, 'path')
  else if (columns.layout === 'parent') {
    set(columns.title, 'title')
    set(columns.parent, 'parent')
    set(columns.narrower, 'narrower')
  } else {
    for (const [above, { title, description }] of columns.levels.entries()) {
      set(description, 'description')
      set(title, columns.levels.length === 1 ? 'title' : `level${above + 1}`)
    }
  }
  return roles
}

/** Names of a heading that say more of a column than its role does. */
export interface HeadingFacts {
  readonly parentBy: ParentColumns['by']
  /** The level, from 0, that a description names. */
  readonly describedLevel: (at: number) => number | undefined
}

export const noFacts: HeadingFacts = { parentBy: 'either', describedLevel: () => undefined }

/** Columns with these roles; a sentence where they make no layout. */
export function columnsOf(roles: readonly Role[], { parentBy, describedLevel }: HeadingFacts): Parsed<Columns> {
  const all = (role: Role) => [...roles.keys()].filter((at) => roles[at] === role)
  for (const role of new Set(roles)) {
    if (role !== 'ignore' && role !== 'description' && all(role).length > 1) {
      return { problems: [`columns: two columns are ${role}; one is needed.`] }
    }
  }
  const [path, title, id, parent, narrower, source] = (
    ['path', 'title', 'id', 'parent', 'narrower', 'source'] as const
  ).map((role) => all(role)[0])
  const descriptions = all('description')
  const texts = { description: descriptions[0], source }
  if (path !== undefined) return { value: { layout: 'path', path, id, ...texts } }
  const named = title ?? id
  if ((parent ?? narrower) !== undefined && named !== undefined) {
    return { value: { layout: 'parent', id, title: named, parent, narrower, by: parentBy, ...texts } }
  }
  const levels = roles.flatMap((role, at) => {
    const level = levelOf(role)
    return level === undefined ? [] : [{ level, at }]
  })
  // A title beside levels is that of the deepest one.
  const positions = [
    ...levels.sort((one, other) => one.level - other.level).map(({ at }) => at),
    ...(title === undefined ? [] : [title]),
  ]
  if (positions.length === 0) return { problems: ['columns: no column is a path, a level or a title.'] }
  return { value: levelColumns(positions, descriptions, { id, ...texts }, describedLevel) }
}

/** A single description belongs to the row's own category; several belong to the level that they name or follow. */
function levelColumns(
  levels: readonly number[],
  descriptions: readonly number[],
  texts: Texts & { readonly id: number | undefined },
  describedLevel: HeadingFacts['describedLevel'],
): LevelColumns {
  const described = new Map<number, number>()
  for (const at of descriptions) {
    const above = describedLevel(at) ?? levels.indexOf(at - 1)
    if (levels[above] !== undefined && !described.has(above)) described.set(above, at)
  }
  const isEach = levels.length > 1 ? described.size > 1 : described.size === 1
  const all = levels.map((title, above) => ({ title, description: isEach ? described.get(above) : undefined }))
  return { ...texts, layout: 'levels', levels: all, description: isEach ? undefined : texts.description }
}
