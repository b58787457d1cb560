import type { SchemaPlan } from '../../../categories/change/plan.ts'
import type { NewVersion } from '../../../categories/operations.ts'
import { boolean, component, integer, list, object, text, type ValueOf } from '../shape.ts'
import { successShapeWith, successWith } from '../success.ts'
import { diffMembers, itemsMember } from './schema-diff.ts'
import { hashShape } from './schema-version.ts'

const impactShape = component(
  'SchemaImpact',
  'What a change means for items: all of them, whether the caller sees them or not; null where counting takes too long.',
  object({
    items: { ...itemsMember, description: 'Items that move, or lose a category that is recognized now.' },
    moved: { ...itemsMember, description: 'Items that follow a move.' },
    vanishing: {
      ...itemsMember,
      description: 'Items whose category the new schema does not have, and the present one has.',
    },
    unrecognizedBefore: { ...itemsMember, description: 'Items with a category that the present schema does not have.' },
    unrecognizedAfter: { ...itemsMember, description: 'Items with a category that the new schema does not have.' },
    byPath: list(object({ path: text(), items: itemsMember }), 'Vanishing categories, the highest of each branch.'),
  }),
)

const planMembers = {
  dryRun: boolean('Always true: nothing was changed.'),
  hash: { ...hashShape, description: 'Of the present schema.' },
  resultHash: { ...hashShape, description: 'Of the schema after the change.' },
  ...diffMembers,
  impact: impactShape,
  warnings: list(text()),
}

export const schemaPlanShape = component(
  'SchemaPlan',
  'What a change of a category schema would do.',
  successShapeWith({ version: integer('The present version; 0 if there never was a schema.', 0), ...planMembers }),
)

/** Members of the answers of a change and of its dry run. */
export const changeMembers = {
  version: integer(
    'The version that was made, if a parameter of the extensions was given; in a plan, the present one.',
    0,
  ),
  ...planMembers,
}

export const changedSchemaShape = component(
  'ChangedCategorySchema',
  'The change is made; with dryRun=true, the plan.',
  successShapeWith({}, changeMembers),
)

/** `noticed`: further warnings, of what was given rather than of what comes of it. */
export function planAnswer(
  plan: SchemaPlan,
  noticed: readonly string[] = [],
): { readonly json: ValueOf<typeof schemaPlanShape> } {
  const { version, hash, resultHash, summary, changes, suggestions, impact } = plan
  const warnings = [...plan.warnings, ...noticed]
  return successWith({ dryRun: true, version, hash, resultHash, summary, changes, suggestions, impact, warnings })
}

export function toVersionResult({ version }: Pick<NewVersion, 'version'>) {
  return successWith({ version })
}
