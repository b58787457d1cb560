import { groupLimits, portalLimits, type SchemaLimits } from '../../categories/limits.ts'
import { requireGroupCategories, requirePortalCategories } from '../../categories/operations.ts'
import { revisionOf } from '../../categories/revision.ts'
import { judgeSchema, malformed, type SchemaVerdict } from '../../categories/schema.ts'
import type { OwnedSchema } from '../../categories/store.ts'
import { mapParsed, type Parsed } from '../../parsed.ts'
import type { DocumentAnswer } from '../answer.ts'
import { exampleIds, exampleSchema } from '../docs/examples.ts'
import { categorySchemaShape } from '../shapes/category-schema.ts'
import { success, successShape } from '../shapes/success.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { type JudgedText, judgedJson } from './parameter-types.ts'

const { groupId, portalId } = exampleIds

const schemaMeaning =
  'JSON text of an object with the member categorySchema: up to 5 trees, 4 levels and 200 categories.'

const ifMatchNote =
  'If-Match with an entity tag of the schema, in the tag of either format: 409 if another one is set now. `*` always holds.'

const chosenForAssign = [
  'Roots count towards the 200 categories. Characters are UTF-16 code units.',
  'Titles must not be blank, hold a slash, a comma, control characters or lone surrogates; spaces around them are kept.',
  'Siblings may have the same title. Members other than title, description, categories and source are dropped.',
  'A bare array as the value, the JSON as the body without a parameter name, and application/json are accepted.',
  'A document of more than 10,000 values, unknown members included, is not a category schema.',
  'If the value is not a category schema, reasons has each cause with its place beside the documented sentence.',
  ifMatchNote,
  'ORG_1132 has one sentence with a JSON pointer for each violation of a depth, total, title or description limit.',
]

const chosenForRead = 'The answer has an ETag; a GET with that tag in If-None-Match is answered 304 without a body.'

/** What is read where no schema is set (observed). */
const noSchema = Buffer.from('{"categorySchema":[]}')

function schemaAnswer(schema: OwnedSchema): DocumentAnswer {
  return { document: schema.present?.document ?? noSchema, revision: revisionOf(schema) }
}

/** Longest text that costs about as little to judge as the look-up of its sender, in characters; most schemas are shorter. */
const longestUnasked = 32 * 1024

/** Judges the text; before a long one, `requirePermission` refuses callers who may not assign it. */
async function judge(
  input: Parsed<{ readonly categorySchema: JudgedText }>,
  limits: SchemaLimits,
  requirePermission: () => Promise<unknown>,
): Promise<Parsed<SchemaVerdict>> {
  if ('value' in input && 'text' in input.value.categorySchema) {
    if (input.value.categorySchema.text.length > longestUnasked) await requirePermission()
  }
  return mapParsed(input, ({ categorySchema }) =>
    'text' in categorySchema
      ? judgeSchema(categorySchema.text, limits)
      : malformed(`categorySchema: ${categorySchema.problem}`),
  )
}

/** Category schemas of groups and of the organization. */
export const categoryRows: readonly Endpoint[] = [
  endpoint({
    id: 'assignGroupCategorySchema',
    room: 'categories',
    title: 'Assign category schema (group)',
    task: 'assign category schema',
    effect: 'change',
    comparesIfMatch: true,
    path: '/community/groups/:groupId/assignCategorySchema',
    parameters: { categorySchema: judgedJson(`${schemaMeaning} Titles under 100, descriptions under 300 characters.`) },
    bareBody: 'categorySchema',
    token: 'required',
    who: 'Owner and managers of the group',
    summary: "Replaces the group's category schema.",
    source: 'description §4.1',
    since: 'Release 10.6.1; April 2018',
    chosen: chosenForAssign,
    answers: { json: successShape },
    example: { ids: { groupId }, parameters: { categorySchema: exampleSchema }, answer: { success: true } },
    async answer({ ids, input, ifMatch, read, run }) {
      const schema = await judge(input, groupLimits, () => read(requireGroupCategories, ids))
      await run({ groupId: ids.groupId, schema, ifMatch })
      return success
    },
  }),
  endpoint({
    id: 'deleteGroupCategorySchema',
    room: 'categories',
    title: 'Delete category schema (group)',
    task: 'delete category schema',
    effect: 'change',
    comparesIfMatch: true,
    path: '/community/groups/:groupId/deleteCategorySchema',
    parameters: {},
    token: 'required',
    who: 'Owner and managers of the group',
    summary: "Deletes the group's category schema; 404 if none is set.",
    source: 'documented',
    chosen: [ifMatchNote],
    answers: { json: successShape },
    example: { ids: { groupId }, answer: { success: true } },
    async answer({ ids, ifMatch, run }) {
      await run({ groupId: ids.groupId, ifMatch })
      return success
    },
  }),
  endpoint({
    id: 'readGroupCategorySchema',
    room: 'categories',
    title: 'Category schema (group)',
    task: 'read category schema',
    effect: 'none',
    path: '/community/groups/:groupId/categorySchema',
    parameters: {},
    token: 'optional',
    who: 'Anyone who can see the group',
    summary: "The group's category schema exactly as it was assigned; an empty list if none is set.",
    source: 'documented',
    chosen: ['Anyone who can see the group can read it.', chosenForRead],
    answers: { document: categorySchemaShape },
    example: { ids: { groupId }, answer: JSON.parse(exampleSchema) },
    async answer({ ids, run }) {
      return schemaAnswer(await run({ groupId: ids.groupId }))
    },
  }),
  endpoint({
    id: 'assignPortalCategorySchema',
    room: 'categories',
    title: 'Assign category schema (organization)',
    task: 'assign category schema',
    effect: 'change',
    comparesIfMatch: true,
    path: '/portals/:portalId/assignCategorySchema',
    parameters: { categorySchema: judgedJson(`${schemaMeaning} Titles up to 100, descriptions up to 300 characters.`) },
    bareBody: 'categorySchema',
    token: 'required',
    who: 'Default administrators, and custom roles with portal:admin:updateItemCategorySchema',
    summary: "Replaces the organization's category schema.",
    source: 'description §4.2',
    chosen: chosenForAssign,
    answers: { json: successShape },
    example: { ids: { portalId }, parameters: { categorySchema: exampleSchema }, answer: { success: true } },
    async answer({ ids, input, ifMatch, read, run }) {
      const schema = await judge(input, portalLimits, () => read(requirePortalCategories, ids))
      await run({ portalId: ids.portalId, schema, ifMatch })
      return success
    },
  }),
  endpoint({
    id: 'deletePortalCategorySchema',
    room: 'categories',
    title: 'Delete category schema (organization)',
    task: 'delete category schema',
    effect: 'change',
    comparesIfMatch: true,
    path: '/portals/:portalId/deleteCategorySchema',
    parameters: {},
    token: 'required',
    who: 'Default administrators only',
    summary: "Deletes the organization's category schema; 404 if none is set.",
    source: 'description §4.3',
    chosen: [
      'The privilege to assign is not sufficient to delete. Deleting where no schema is set is 404.',
      ifMatchNote,
    ],
    answers: { json: successShape },
    example: { ids: { portalId }, answer: { success: true } },
    async answer({ ids, ifMatch, run }) {
      await run({ portalId: ids.portalId, ifMatch })
      return success
    },
  }),
  endpoint({
    id: 'readPortalCategorySchema',
    room: 'categories',
    title: 'Category schema (organization)',
    task: 'read category schema',
    effect: 'none',
    path: '/portals/:portalId/categorySchema',
    parameters: {},
    token: 'optional',
    who: 'Members of the organization; anyone if it is public',
    summary: "The organization's category schema exactly as it was assigned; an empty list if none is set.",
    source: 'documented',
    chosen: ['Anonymous callers can read it if the organization is public.', chosenForRead],
    answers: { document: categorySchemaShape },
    example: { ids: { portalId }, answer: JSON.parse(exampleSchema) },
    async answer({ ids, run }) {
      return schemaAnswer(await run({ portalId: ids.portalId }))
    },
  }),
]
