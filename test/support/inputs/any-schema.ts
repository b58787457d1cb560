import fc from 'fast-check'
import type { SchemaLimits } from '../../../src/categories/limits.ts'
import type { Node } from '../portal/schema-builder.ts'
import { showsNothing } from './schema-oracle.ts'

/** Any text that a title may be, up to the limit. */
function titleWithin(limits: SchemaLimits) {
  return fc
    .string({ unit: 'binary', minLength: 1, maxLength: limits.titleLength })
    .filter((text) => text.length <= limits.titleLength && !showsNothing(text) && !/[/,\p{Cc}\p{Cs}]/u.test(text))
}

/** Any schema within the limits, members in any order, some left out. */
export function schemaWithin(limits: SchemaLimits): fc.Arbitrary<{ categorySchema: Node[] }> {
  const description = fc
    .string({ unit: 'binary', maxLength: limits.descriptionLength })
    .filter((text) => text.length <= limits.descriptionLength)
  const treeOf = (levels: number): fc.Arbitrary<Node> =>
    fc
      .tuple(
        fc.oneof({ weight: 4, arbitrary: fc.constant('title') }, { weight: 1, arbitrary: fc.constant('source') }),
        titleWithin(limits),
        fc.option(description, { nil: undefined }),
        fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
        levels > 1
          ? fc.option(fc.array(treeOf(levels - 1), { maxLength: 3 }), { nil: undefined })
          : fc.constantFrom(undefined, []),
        fc.shuffledSubarray(['title', 'description', 'source', 'categories'], { minLength: 4 }),
      )
      .map(([name, title, text, source, categories, order]) => {
        const members: Node = { description: text, source, categories, [name]: title }
        return Object.fromEntries(
          order.filter((member) => members[member] !== undefined).map((member) => [member, members[member]]),
        )
      })
  return fc
    .array(treeOf(limits.levels), { minLength: 1, maxLength: limits.trees })
    .map((categorySchema) => ({ categorySchema }))
    .filter((schema) => count(schema.categorySchema) <= limits.categories)
}

function count(nodes: readonly Node[]): number {
  return nodes.reduce((total, { categories }) => total + 1 + count((categories ?? []) as Node[]), 0)
}
