import { groupLimits, portalLimits } from '../../../categories/limits.ts'
import type { Category } from '../../../categories/schema.ts'
import { component, list, object, reference, type Shape, text } from '../shape.ts'

const { titleLength, descriptionLength, sourceLength, trees, levels, categories } = portalLimits

const categoryShape: Shape<Category> = {
  ...component(
    'Category',
    'A category and its children. It has a title, unless it has a source.',
    object(
      {},
      {
        title: { ...text(`At most ${groupLimits.titleLength} characters in a group.`), maxLength: titleLength },
        description: {
          ...text(`At most ${groupLimits.descriptionLength} characters in a group.`),
          maxLength: descriptionLength,
        },
        source: { ...text('Ready-made set that the category comes from; kept as sent.'), maxLength: sourceLength },
        categories: list(reference<Category>('Category')),
      },
    ),
  ),
  anyOf: [{ required: ['title'] }, { required: ['source'] }],
}

/** The trees of a schema. */
export const categorySchemaMember = { ...list(categoryShape), maxItems: trees }

export const categorySchemaShape = component(
  'CategorySchema',
  `At most ${trees} trees, ${levels} levels and ${categories} categories in all; empty where no schema is set.`,
  object({ categorySchema: categorySchemaMember }),
)
