import type { SchemaLimits } from '../categories/limits.ts'
import type { Category, CategorySchema } from '../categories/schema.ts'
import { say } from '../sentences/say.ts'
import { describeExcess, isWithin, type LevelCounts, maxBranches, sortBranches, sumOf } from './excess.ts'
import type { Branch, Note, Place, ReadSchemaFile, RefusedFile } from './schema-file.ts'
import { cutAtWord, shown } from './title.ts'

/** How a file is made to fit the limits of schemas. Where the values are listed, the first is the default. */
export const fitChoices = {
  depth: ['refuse', 'cut'],
  titles: ['refuse', 'cut'],
} as const

export interface FitOptions {
  readonly depth: (typeof fitChoices.depth)[number]
  readonly titles: (typeof fitChoices.titles)[number]
  /** Title of a root above all trees; `none` for no root. Without it, one is made for more trees than are allowed. */
  readonly below?: string | undefined
  /** Path of the category that becomes the only tree. */
  readonly root?: string | undefined
  /** Title of the only tree that is there, in a merge: a root that is made is this one. */
  readonly onlyTree?: string | undefined
}

/** Categories as they would be imported. */
interface Placed {
  readonly whole: readonly Node[]
  readonly isBelow: boolean
  readonly counts: LevelCounts
}

/** Title of a root where neither the caller nor the file names one (chosen). */
const defaultRoot = 'Categories'

/** A category with what is known of it beside its texts. */
interface Node {
  readonly texts: Omit<Category, 'categories'>
  readonly place: Place | undefined
  readonly formerPath: string | undefined
  readonly children: readonly Node[]
}

/** A file as far as its import depends on it. */
export type FittedFile = Pick<ReadSchemaFile, 'schema' | 'places' | 'formerPaths'>

/** The schema that an import of the file leads to: the file alone, or merged with what is there. */
export type Outcome = (file: FittedFile) => { readonly schema: CategorySchema }

/**
 * Takes the branch that is asked for, cuts what may be cut, and puts more trees than are allowed below one root, each with a
 * note. What is still too large is refused with the branches that would fit.
 */
export function fitFile(
  read: ReadSchemaFile,
  options: FitOptions,
  limits: SchemaLimits,
  outcome: Outcome,
): { readonly value: ReadSchemaFile } | RefusedFile {
  const notes: Note[] = []
  const all = nodesOf(read)
  const chosen = options.root === undefined ? all : findBranch(all, options.root)
  if (!chosen) return { problems: [`root: The file has no category ${shown(options.root!)}.`] }
  const cut = options.titles === 'cut' ? cutAllTitles(chosen, limits, notes) : chosen
  const title = options.below ?? read.rootTitle ?? options.onlyTree ?? defaultRoot
  const place = (nodes: readonly Node[], noted: Note[]): Placed => {
    const isBelow = needsRoot(nodes, options, limits, outcome)
    const rooted = isBelow ? [rootOf(title, nodes)] : nodes
    const whole = options.depth === 'cut' ? cutDepth(rooted, limits.levels, noted) : rooted
    return { whole, isBelow, counts: countLevels(whole) }
  }
  const { whole, isBelow, counts } = place(cut, notes)
  if (isBelow && options.below === undefined) {
    notes.push({
      message: say('treesBelowRoot', { count: cut.length, max: limits.trees, root: title }),
    })
  }
  const totalOf = (nodes: readonly Node[]): LevelCounts => countSchema(outcome(schemaOf(nodes)).schema)
  const total = isWithin(counts, limits) ? totalOf(whole) : counts
  if (!isWithin(total, limits)) {
    const branches = findBranches(chosen, options.root, (branch) => {
      const placed = place([branch], [])
      const hasRoom = isWithin(placed.counts, limits) && isWithin(totalOf(placed.whole), limits)
      const fits = hasRoom && describeLongTitles(placed.whole, limits).length === 0
      return fits ? placed.counts.slice(placed.isBelow ? 1 : 0) : undefined
    })
    const root = isBelow ? `With the root “${title}”, the file` : 'The file'
    const isAdded = total !== counts && sumOf(total) > sumOf(counts)
    const subject = isAdded ? `With the ${sumOf(total) - sumOf(counts)} categories that are there, the file` : root
    const cure = isAdded ? 'mode=replace puts the file in the place of what is there' : undefined
    return { problems: [describeExcess(total, branches, { limits, subject, cure })], branches }
  }
  const long = options.titles === 'cut' ? [] : describeLongTitles(whole, limits)
  if (long.length > 0) return { problems: long }
  const kept = chosen === all ? read.notes : notesOn(read.notes, whole)
  return {
    value: {
      ...read,
      ...schemaOf(whole),
      rows: chosen === all ? read.rows : sumOf(counts) - (isBelow ? 1 : 0),
      notes: [...notes.filter(isGeneral), ...kept, ...notes.filter((note) => !isGeneral(note))],
    },
  }
}

function isGeneral(note: Note): boolean {
  return note.row === undefined && note.uri === undefined
}

/** Whether the trees go below a root: as asked, or because there would be too many. */
function needsRoot(nodes: readonly Node[], { below }: FitOptions, limits: SchemaLimits, outcome: Outcome): boolean {
  if (below !== undefined) return below !== 'none'
  return nodes.length > 1 && outcome(schemaOf(nodes)).schema.categorySchema.length > limits.trees
}

function rootOf(title: string, children: readonly Node[]): Node {
  return { texts: { title }, place: undefined, formerPath: undefined, children }
}

function nodesOf({ schema, places, formerPaths }: ReadSchemaFile): readonly Node[] {
  const all = (siblings: readonly Category[], above: string): readonly Node[] =>
    siblings.map(({ categories = [], ...texts }, at) => {
      const pointer = `${above}/${at}`
      return {
        texts,
        place: places.get(pointer),
        formerPath: formerPaths?.get(pointer),
        children: all(categories, `${pointer}/categories`),
      }
    })
  return all(schema.categorySchema, '/categorySchema')
}

function schemaOf(nodes: readonly Node[]) {
  const places = new Map<string, Place>()
  const formerPaths = new Map<string, string>()
  const all = (siblings: readonly Node[], above: string): readonly Category[] =>
    siblings.map(({ texts, place, formerPath, children }, at) => {
      const pointer = `${above}/${at}`
      if (place) places.set(pointer, place)
      if (formerPath !== undefined) formerPaths.set(pointer, formerPath)
      return children.length === 0 ? texts : { ...texts, categories: all(children, `${pointer}/categories`) }
    })
  return { schema: { categorySchema: all(nodes, '/categorySchema') }, places, formerPaths }
}

function findBranch(nodes: readonly Node[], path: string): readonly Node[] | undefined {
  const [title, ...below] = path.replace(/^\//, '').split('/')
  const matching = nodes.filter(({ texts }) => texts.title === title)
  if (below.length === 0) return matching.length > 0 ? matching.slice(0, 1) : undefined
  for (const { children } of matching) {
    const found = findBranch(children, below.join('/'))
    if (found) return found
  }
  return undefined
}

function cutAllTitles(nodes: readonly Node[], limits: SchemaLimits, notes: Note[]): readonly Node[] {
  const cut = nodes.map((node) => cutTitles(node, limits, notes))
  const titles = new Set<string>()
  for (const [at, { texts, place }] of cut.entries()) {
    const { title } = texts
    if (title === undefined) continue
    const isCut = title !== nodes[at]!.texts.title
    if (isCut && titles.has(title)) notes.push({ ...place, message: say('cutEqual') })
    titles.add(title)
  }
  return cut
}

function cutTitles(node: Node, limits: SchemaLimits, notes: Note[]): Node {
  const { title = '' } = node.texts
  const children = cutAllTitles(node.children, limits, notes)
  if (title.length <= limits.titleLength) return { ...node, children }
  const cut = cutAtWord(title, limits.titleLength)
  notes.push({
    ...node.place,
    message: say('titleCut', { length: title.length, max: limits.titleLength, title: cut }),
  })
  return { ...node, texts: { ...node.texts, title: cut }, children }
}

function cutDepth(nodes: readonly Node[], levels: number, notes: Note[]): readonly Node[] {
  return nodes.map((node) => {
    if (node.children.length === 0) return node
    if (levels > 1) return { ...node, children: cutDepth(node.children, levels - 1, notes) }
    const below = say('belowLeftOut', { count: countAll(node.children) })
    notes.push({ ...node.place, message: below })
    return { ...node, children: [] }
  })
}

function countLevels(nodes: readonly Node[]): LevelCounts {
  const counts: number[] = []
  for (let level = nodes; level.length > 0; level = level.flatMap(({ children }) => children)) counts.push(level.length)
  return counts
}

function countSchema({ categorySchema }: CategorySchema): LevelCounts {
  const counts: number[] = []
  let level = categorySchema
  while (level.length > 0) {
    counts.push(level.length)
    level = level.flatMap(({ categories = [] }) => categories)
  }
  return counts
}

function countAll(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + countAll(children), 0)
}

/** The branches that would fit, none of them within another one. */
function findBranches(
  nodes: readonly Node[],
  root: string | undefined,
  fits: (branch: Node) => LevelCounts | undefined,
): readonly Branch[] {
  const found: Branch[] = []
  const above = root === undefined ? '' : root.replace(/^\/?/, '/').replace(/\/[^/]*$/, '')
  const taken = new Set<string>()
  const open = nodes.map((node) => ({ node, above }))
  for (const { node, above: parent } of open) {
    if (found.length === maxBranches) break
    const { title } = node.texts
    if (title === undefined) continue
    const path = `${parent}/${title}`
    const own = node.place !== undefined && 'uri' in node.place ? node.place.uri : path
    // A path names the first of two categories alone.
    if (taken.has(own)) continue
    taken.add(own)
    const counts = fits(node)
    if (counts) found.push({ id: own, label: title, levels: counts.length, categories: sumOf(counts) })
    else open.push(...node.children.map((child) => ({ node: child, above: path })))
  }
  return sortBranches(found)
}

function describeLongTitles(nodes: readonly Node[], limits: SchemaLimits): readonly string[] {
  const long: string[] = []
  const visit = ({ texts: { title = '' }, place, children }: Node): void => {
    if (title.length > limits.titleLength) {
      const where = place === undefined ? '' : 'row' in place ? `Row ${place.row}: ` : `<${place.uri}>: `
      long.push(
        `${where}${say('titleTooLong', { title: shown(title), length: title.length, max: limits.titleLength })}`,
      )
    }
    for (const child of children) visit(child)
  }
  for (const node of nodes) visit(node)
  return long
}

/** The notes on categories that are kept, and those on the whole file. */
function notesOn(notes: readonly Note[], nodes: readonly Node[]): readonly Note[] {
  const kept = new Set<number | string>()
  const visit = ({ place, children }: Node): void => {
    if (place) kept.add('row' in place ? place.row : place.uri)
    for (const child of children) visit(child)
  }
  for (const node of nodes) visit(node)
  return notes.filter(({ row, uri }) => (row === undefined && uri === undefined) || kept.has(row ?? uri!))
}
