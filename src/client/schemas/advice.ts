import type { Category, CategorySchema } from '../../categories/schema.ts'
import { isObject } from '../../json-text.ts'
import { countEdits } from '../../spelling.ts'

/** Advice about a category, besides the rules of schemas. */
export interface Finding {
  readonly rule: string
  readonly path: string
  readonly pointer: string
  readonly message: string
}

interface Node {
  readonly category: Category
  readonly path: string
  readonly pointer: string
  readonly siblings: readonly Category[]
  readonly position: number
}

/** Shortest title, in characters, of which one other letter is a misspelling and not another word (chosen). */
const longTitle = 5

/** Advice about a schema alone. */
export function adviseOn({ categorySchema }: CategorySchema): readonly Finding[] {
  const nodes = listNodes(categorySchema, '', '/categorySchema')
  const leaves = nodes.filter(({ category }) => !category.categories?.length)
  const isDescribed = leaves.filter(({ category }) => category.description).length > leaves.length / 2
  return nodes.flatMap((node) => [
    ...findEqualTitles(node),
    ...findTitleProblems(node),
    ...(node.category.categories?.length === 1
      ? [finding(node, 'single-child', 'has one subcategory and nothing else')]
      : []),
    ...(isDescribed && leaves.includes(node) && !node.category.description
      ? [finding(node, 'no-description', 'has no description, as most others have')]
      : []),
  ])
}

function listNodes(siblings: readonly Category[], above: string, pointer: string): readonly Node[] {
  return siblings.flatMap((category, position) => {
    const node = {
      category,
      siblings,
      position,
      path: `${above}/${category.title ?? category.source ?? ''}`,
      pointer: `${pointer}/${position}`,
    }
    return [node, ...listNodes(category.categories ?? [], node.path, `${node.pointer}/categories`)]
  })
}

function finding({ path, pointer }: Node, rule: string, problem: string): Finding {
  return { rule, path, pointer, message: `${path} ${problem}.` }
}

/** Each pair once, at the later one. */
function findEqualTitles(node: Node): readonly Finding[] {
  const { category, siblings, position } = node
  const title = category.title ?? ''
  return siblings.slice(0, position).flatMap(({ title: other = '' }) => {
    if (fold(title) === fold(other)) return [finding(node, 'same-title', `has the title of its sibling ${other}`)]
    const isNear = title.length >= longTitle && other.length >= longTitle && countEdits(title, other) === 1
    return isNear ? [finding(node, 'near-title', `is one letter from its sibling ${other}`)] : []
  })
}

/** The title without case, accents and further blanks. */
function fold(title: string): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '')
  return plain.toLowerCase().trim().replace(/\s+/g, ' ')
}

function findTitleProblems(node: Node): readonly Finding[] {
  const { title = '' } = node.category
  return [
    ...(title !== title.trim() || /\s\s/.test(title)
      ? [finding(node, 'blank-ends', 'has blanks at an end of its title, or two together')]
      : []),
    ...(/[;|]/.test(title)
      ? [finding(node, 'separator', 'has a sign that separates categories in tables of items')]
      : []),
  ]
}

/** Part of the items above which a category says little (chosen). */
const tooMany = 0.25

/** Advice by the items of each category. */
export function adviseOnItems(
  counts: readonly { readonly path: string; readonly pointer: string; readonly itemsBelow: number }[],
  all: number,
): readonly Finding[] {
  return counts.flatMap(({ path, pointer, itemsBelow }) => {
    const found = (rule: string, problem: string) => [{ rule, path, pointer, message: `${path} ${problem}.` }]
    if (itemsBelow === 0) return found('unused', 'has no item at it or below')
    const isTop = !path.includes('/', 1)
    return !isTop && itemsBelow > all * tooMany ? found('over-full', `has ${itemsBelow} of ${all} items`) : []
  })
}

/** The findings of rules that a file does not switch off. */
export function withoutOff(
  findings: readonly Finding[],
  members: Readonly<Record<string, unknown>>,
): readonly Finding[] {
  const lint = members['lint']
  const off = isObject(lint) && Array.isArray(lint['off']) ? lint['off'] : []
  return findings.filter(({ rule }) => !off.includes(rule))
}
