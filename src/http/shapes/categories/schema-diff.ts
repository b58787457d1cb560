import type { Change, DiffSummary, Suggestion } from '../../../categories/diff/change.ts'
import { boolean, choice, component, either, integer, list, nullable, object, type Shape, text } from '../shape.ts'

/** Differences between two category schemas, with or without counts of items. */

const difference = object({ from: nullable(text()), to: nullable(text()) }, {})

/** Members that a plan adds to a change: how many items it concerns. */
export const itemsMember = {
  ...nullable(
    integer('Items that carry the path, or one below it; null if counting takes too long. Only in plans.', 0),
  ),
}

const ops = ['add', 'remove', 'rename', 'move', 'merge', 'change', 'reorder'] as const satisfies readonly Change['op'][]

const changeShape = component(
  'SchemaChange',
  'One difference between two category schemas.',
  object(
    { op: choice(ops, 'What happened.'), path: text('Path in the old schema; of an addition, in the new one.') },
    {
      pointer: text('JSON pointer to the category, in the schema that has the path.'),
      to: either(
        [text(), integer('Of a reorder.', 0)],
        'Path in the new schema; of a reorder, the new position among the siblings, from 0.',
      ),
      toPointer: text('JSON pointer in the new schema.'),
      from: integer('Of a reorder: the old position among the siblings, from 0.', 0),
      categories: integer('Categories that the change speaks of, those below included.', 0),
      declared: boolean('Whether a declared move leads there, so that items follow.'),
      reordered: boolean('Of a rename: true if it has another place among the siblings that stay, too.'),
      copyOf: text('Of an addition: path of an equal subtree that stays.'),
      description: difference,
      source: difference,
      items: itemsMember,
    },
  ),
) as Shape<Change & { readonly items?: number | null }>

const sum = (what: string) => integer(`How many were ${what}.`, 0)

export const summaryShape: Shape<DiffSummary> = object({
  added: sum('added'),
  removed: sum('removed'),
  renamed: sum('renamed'),
  moved: sum('moved below another parent'),
  merged: sum('merged into another one'),
  changed: sum('given another description or source'),
  reordered: sum('reordered, renamed ones included'),
})

const suggestionShape = component(
  'SuggestedMove',
  'A move that was perhaps meant; nothing follows it before it is declared.',
  object(
    {
      from: text('Path before.'),
      to: text('Path after.'),
      confidence: choice(['sure', 'possible'], 'sure if no other pair is nearly as good.'),
      because: list(text()),
    },
    { items: itemsMember },
  ),
) as Shape<Suggestion & { readonly items?: number | null }>

export const diffMembers = {
  summary: summaryShape,
  changes: list(changeShape),
  suggestions: list(suggestionShape),
}
