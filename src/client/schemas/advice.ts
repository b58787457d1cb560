import type { Category, CategorySchema } from '../../categories/schema.ts'
import { listCategories } from '../../categories/schema-paths.ts'
import { isObject } from '../../json-text.ts'
import { countEdits } from '../../spelling.ts'

/** Advice about a category, besides the rules of schemas. */
export interface Finding {
  readonly rule: string
  readonly path: string
  readonly pointer: string
  readonly message: string
}

/** Shortest title, in characters, of which one other letter is a misspelling and not another word (chosen). */
const longTitle = 5

/** `earlier` are the siblings before a category, so that each pair is found once; `isDescribed`, whether most leaves are. */
type Rule = (category: Category, earlier: readonly Category[], isDescribed: boolean) => string | undefined

/** Problem of a category, by the name of its rule. */
const rules: Readonly<Record<string, Rule>> = {
  'same-title': ({ title = '' }, earlier) => {
    const other = earlier.find((one) => fold(one.title) === fold(title))
    return other && `has the title of its sibling ${other.title}`
  },
  'near-title': ({ title = '' }, earlier) => {
    const other = earlier.find((one) => isNear(title, one.title ?? ''))
    return other && `is one letter from its sibling ${other.title}`
  },
  'blank-ends': ({ title = '' }) =>
    title !== title.trim() || /\s\s/.test(title) ? 'has blanks at an end of its title, or two together' : undefined,
  'single-child': ({ categories }) => (categories?.length === 1 ? 'has one subcategory and nothing else' : undefined),
  separator: ({ title = '' }) =>
    /[;|]/.test(title) ? 'has a sign that separates categories in tables of items' : undefined,
  'no-description': (category, _, isDescribed) =>
    isDescribed && isLeaf(category) && !category.description ? 'has no description, as most others have' : undefined,
}

export function adviseOn(schema: CategorySchema): readonly Finding[] {
  const listed = listCategories(schema)
  const leaves = listed.filter(({ category }) => isLeaf(category))
  const isDescribed = leaves.filter(({ category }) => category.description).length > leaves.length / 2
  const siblings = new Map<string, Category[]>()
  return listed.flatMap(({ category, pointer, path = pointer }) => {
    const list = pointer.slice(0, pointer.lastIndexOf('/'))
    const earlier = siblings.get(list) ?? []
    const found = Object.entries(rules).flatMap(([rule, find]) => {
      const problem = find(category, earlier, isDescribed)
      return problem === undefined ? [] : [{ rule, path, pointer, message: `${path} ${problem}.` }]
    })
    siblings.set(list, [...earlier, category])
    return found
  })
}

function isLeaf({ categories = [] }: Category): boolean {
  return categories.length === 0
}

function isNear(title: string, other: string): boolean {
  const isLong = Math.min(title.length, other.length) >= longTitle
  return isLong && fold(title) !== fold(other) && countEdits(title, other) === 1
}

/** The title without case, accents and further blanks. */
function fold(title = ''): string {
  return title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim().replace(/\s+/g, ' ')
}

export type CountedCategory = Readonly<{ path: string; pointer: string; itemsBelow: number }>

/** Part of the items above which a category says little (chosen). */
const tooMany = 0.25

export function adviseOnItems(counts: readonly CountedCategory[], all: number): readonly Finding[] {
  return counts.flatMap(({ path, pointer, itemsBelow }) => {
    const found = (rule: string, problem: string) => [{ rule, path, pointer, message: `${path} ${problem}.` }]
    if (itemsBelow === 0) return found('unused', 'has no item at it or below')
    const isTop = !path.includes('/', 1)
    return !isTop && itemsBelow > all * tooMany ? found('over-full', `has ${itemsBelow} of ${all} items`) : []
  })
}

/** The findings of rules that a file does not switch off. */
export function withoutOff(findings: readonly Finding[], { lint }: Readonly<Record<'lint', unknown>>) {
  const off = isObject(lint) && Array.isArray(lint['off']) ? lint['off'] : []
  return findings.filter(({ rule }) => !off.includes(rule))
}
