import type { MergedChange } from '../../../categories/merge/operations.ts'
import { choice, component, list, nullable, object, text, type ValueOf } from '../shape.ts'
import { categorySchemaMember } from './category-schema.ts'

const kinds = ['title', 'description', 'source', 'parent', 'removed', 'order'] as const
const schema = object({ categorySchema: categorySchemaMember })

/** Merge of two changes to one category schema. */
export const schemaMergeShape = component(
  'SchemaMerge',
  'Two changes to one category schema, put together: what only one has changed is as this one has it.',
  object({
    base: { ...schema, description: 'What the change of the caller was made from.' },
    theirs: { ...schema, description: 'The present schema.' },
    merged: { ...schema, description: 'Both changes; where there is a conflict, theirs.' },
    moves: list(
      object({ from: text(), to: text() }),
      'The moves of the caller, from paths of theirs to paths of merged.',
    ),
    conflicts: list(
      object({
        pointer: text(
          'JSON pointer of what both have changed: in base; in theirs, of a category that both have added.',
        ),
        kind: choice(kinds, 'removed: one has removed what the other has changed.'),
        path: text('Path of the category.'),
        base: nullable(text()),
        mine: nullable(text()),
        theirs: nullable(text()),
      }),
      'What both have changed, each in another way: texts, paths of parents, titles in their order; null for none, or for what is removed.',
    ),
    problems: list(
      text(),
      'Why merged would be refused as it is: one sentence for each limit that both changes together exceed.',
    ),
  }),
)
export type WireMerge = ValueOf<typeof schemaMergeShape>

/** Order of the members above. */
export function schemaMergeToWire({ base, theirs, merged, moves, conflicts, problems }: MergedChange): WireMerge {
  const asked = conflicts.map(({ pointer, kind, path, base, mine, theirs }) => {
    return { pointer, kind, path, base, mine, theirs }
  })
  return { base, theirs, merged, moves, conflicts: asked, problems }
}
