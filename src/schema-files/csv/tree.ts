import type { Category, CategorySchema } from '../../categories/schema.ts'
import { say } from '../../sentences/say.ts'
import type { Place, Problems } from '../schema-file.ts'
import { maxLevels } from './columns.ts'
import type { RowNotes } from './row-notes.ts'

/** Texts of a row about its category; an empty one says nothing. */
export interface RowTexts {
  readonly description: string
  readonly source: string
  /** Path that the category had when the file was written. */
  readonly id: string
}

/** A category of the tree, to put others below it. */
export interface TreeNode {
  readonly level: number
}

interface Node extends TreeNode {
  /** Undefined for a category that has only a source. */
  readonly title: string | undefined
  readonly children: Node[]
  /** The child that was added last, and whether there are several, by title, '' for none. */
  readonly latest: Map<string, { readonly node: Node; readonly isOneOfSeveral: boolean }>
  row: number
  /** Whether it has a row of its own; otherwise only rows below it. */
  hasRow: boolean
  description: string
  source: string
  id: string
}

/** Categories in the order in which rows name them. A row belongs to the latest parent above it (contract §6.2). */
export class Tree {
  readonly #root = createNode(undefined, 0, 0)
  readonly #notes: RowNotes
  /** Whether rows of one path are a category each, as in files that were exported; or one, as where a finer column is not used. */
  readonly #keepsEqual: boolean
  #rows = 0
  #nodes = 0

  constructor(notes: RowNotes, { keepsEqual } = { keepsEqual: true }) {
    this.#notes = notes
    this.#keepsEqual = keepsEqual
  }

  /** Rows that became categories. */
  get rows(): number {
    return this.#rows
  }

  /** Adds the category of a row; returns what is wrong with the row. Titles from the root down, '' for none. */
  add(path: readonly string[], row: number, texts: RowTexts): string | undefined {
    if (path.length > maxLevels) return tooDeep(row, path.length)
    let parent = this.#root
    for (const [above, title] of path.slice(0, -1).entries()) {
      const known = parent.latest.get(title)
      if (known?.isOneOfSeveral) this.#notes.add(belongsToLatest, row)
      if (!known && title === '') return `Row ${row}: level ${above + 1} has no title.`
      if (!known && this.#isFull()) return tooMany(row)
      parent = known?.node ?? this.#addChild(parent, title, row)
    }
    const added = this.addBelow(parent, path.at(-1)!, row, texts)
    return 'problem' in added ? added.problem : undefined
  }

  /** Adds the category of a row below that of another one, as a root without one. */
  addBelow(
    parent: TreeNode | undefined,
    title: string,
    row: number,
    texts: RowTexts,
  ): { readonly node: TreeNode } | { readonly problem: string } {
    const above = (parent as Node | undefined) ?? this.#root
    if (above.level === maxLevels) return { problem: tooDeep(row, maxLevels + 1) }
    if (title === '' && texts.source === '') return { problem: say('rowWithoutTitle', { row }) }
    const known = above.latest.get(title)?.node
    if (known?.hasRow && !this.#keepsEqual) {
      this.#notes.add(isOne, row)
      this.#describe(known, row, texts.description)
      this.#rows += 1
      return { node: known }
    }
    if (known?.hasRow) this.#notes.add(isThereTwice, row)
    if (this.#isFull()) return { problem: tooMany(row) }
    const own = known && !known.hasRow ? known : this.#addChild(above, title, row)
    own.row = row
    own.hasRow = true
    own.source = texts.source
    own.id = texts.id
    this.#describe(own, row, texts.description)
    this.#rows += 1
    return { node: own }
  }

  /** Describes the latest category of a path that a row has mentioned. */
  describe(path: readonly string[], row: number, description: string): void {
    let node = this.#root
    for (const title of path) node = node.latest.get(title)!.node
    this.#describe(node, row, description)
  }

  #isFull(): boolean {
    return this.#nodes >= maxNodes
  }

  #addChild(parent: Node, title: string, row: number): Node {
    this.#nodes += 1
    return addChild(parent, title, row)
  }

  #describe(node: Node, row: number, description: string): void {
    if (description === '' || description === node.description) return
    if (node.description === '') node.description = description
    else this.#notes.add(say('descriptionDiffers'), row)
  }

  /**
   * Puts rows that still name the former path of their parent below it: where an identifier says that a category had this path,
   * it was renamed or moved in its own row alone. A row whose own path is its identifier was not edited, and stays below its parent.
   */
  #adoptChildren(): void {
    const byId = new Map<string, Node>()
    const untouched: { readonly node: Node; readonly parent: Node }[] = []
    const implied: { readonly node: Node; readonly parent: Node; readonly path: string }[] = []
    visitAll(this.#root, '', (node, parent, path) => {
      if (!node.hasRow) implied.push({ node, parent, path })
      if (node.id === '') return
      if (byId.has(node.id)) this.#notes.add(isIdTwice, node.row)
      else byId.set(node.id, node)
      if (node.id === path) untouched.push({ node, parent })
    })
    if (byId.size === 0) return
    for (const { node, parent } of untouched) {
      const above = node.id.slice(0, node.id.lastIndexOf('/'))
      const owner = byId.get(above)
      if (!owner || parent.id === above || owner === node || isBelow(owner, node)) continue
      parent.children.splice(parent.children.indexOf(node), 1)
      this.#adopt(owner, node)
    }
    // The deepest first, so that those above take what is below them already.
    for (const { node, parent, path } of implied.reverse()) {
      const owner = byId.get(path)
      if (!owner || isBelow(owner, node)) continue
      parent.children.splice(parent.children.indexOf(node), 1)
      for (const child of node.children) this.#adopt(owner, child)
    }
  }

  /** Puts a category below another one; one without a row of its own is that of its title, if there is one. */
  #adopt(owner: Node, child: Node): void {
    const at = owner.children.findIndex(({ title }) => title === child.title)
    const known = owner.children[at]
    if (known && !child.hasRow) for (const below of child.children) this.#adopt(known, below)
    else if (known && !known.hasRow) {
      owner.children[at] = child
      for (const below of known.children) this.#adopt(child, below)
    } else {
      if (known) this.#notes.add(isThereTwice, child.row)
      owner.children.push(child)
    }
  }

  /** The schema, and the row of each of its categories by JSON pointer. */
  finish():
    | {
        readonly schema: CategorySchema
        readonly places: ReadonlyMap<string, Place>
        readonly formerPaths: ReadonlyMap<string, string>
      }
    | { readonly problem: string } {
    this.#adoptChildren()
    const deep = findTooDeep(this.#root)
    if (deep) return { problem: tooDeep(deep.row, maxLevels + 1) }
    const found = { places: new Map<string, Place>(), formerPaths: new Map<string, string>() }
    const categorySchema = finishAll(this.#root.children, '/categorySchema', found)
    return { schema: { categorySchema }, ...found }
  }
}

/** Places of the categories of rows, and what is wrong with rows. */
export interface Target {
  readonly tree: Tree
  readonly problems: Problems
}

/** Categories of a file, with those that paths imply: many more than a schema has (chosen). */
const maxNodes = 20_000

function tooMany(row: number): string {
  return `Row ${row}: the file has more than ${maxNodes} categories up to here.`
}

const isOne = say('onePathOneCategory')
const belongsToLatest = say('belongsToLatest')
const isIdTwice = say('sameIdentifier')
const isThereTwice = say('samePathKept')

function tooDeep(row: number, level: number): string {
  return say('tooDeep', { row, level, max: maxLevels })
}

function createNode(title: string | undefined, row: number, level: number): Node {
  return { level, title, children: [], latest: new Map(), row, hasRow: false, description: '', source: '', id: '' }
}

function addChild(parent: Node, title: string, row: number): Node {
  const node = createNode(title === '' ? undefined : title, row, parent.level + 1)
  parent.children.push(node)
  parent.latest.set(title, { node, isOneOfSeveral: parent.latest.has(title) })
  return node
}

function visitAll(parent: Node, above: string, visit: (node: Node, parent: Node, path: string) => void): void {
  for (const node of parent.children) {
    const path = `${above}/${node.title ?? ''}`
    visit(node, parent, path)
    visitAll(node, path, visit)
  }
}

/** The first category below the levels that are read: identifiers may put one below another as often as there are rows. */
function findTooDeep(root: Node): Node | undefined {
  let level: readonly Node[] = root.children
  for (let above = 0; above < maxLevels; above += 1) level = level.flatMap(({ children }) => children)
  return level[0]
}

function isBelow(node: Node, above: Node): boolean {
  return above.children.some((child) => child === node || isBelow(node, child))
}

interface Found {
  readonly places: Map<string, Place>
  readonly formerPaths: Map<string, string>
}

function finishAll(nodes: readonly Node[], pointer: string, found: Found): readonly Category[] {
  return nodes.map(({ title, description, source, children, row, id }, position) => {
    const own = `${pointer}/${position}`
    found.places.set(own, { row })
    if (id !== '') found.formerPaths.set(own, id)
    return {
      ...(title === undefined ? {} : { title }),
      ...(description === '' ? {} : { description }),
      ...(source === '' ? {} : { source }),
      ...(children.length === 0 ? {} : { categories: finishAll(children, `${own}/categories`, found) }),
    }
  })
}
