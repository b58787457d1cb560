import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { portalLimits } from '../../../categories/limits.ts'
import { requireAssignable } from '../../../categories/owners.ts'
import type { SchemaVerdict } from '../../../categories/schema.ts'
import type { NewTemplate } from '../../../schema-files/templates/own-operations.ts'
import {
  findTemplateNameProblem,
  findTemplateTitleProblem,
  maxTemplates,
  maxTitleLength,
  parseOrigin,
  type TemplateOrigin,
} from '../../../schema-files/templates/own-template.ts'
import { exampleIds, exampleSchema, exampleTime } from '../../examples/examples.ts'
import {
  ownTemplateListShape,
  ownTemplateListToWire,
  ownTemplateToWire,
  templateShape,
} from '../../shapes/categories/schema-template.ts'
import { success } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf, runByIds } from '../endpoint.ts'
import {
  type JudgedText,
  judgedJson,
  type Parameter,
  requiredName,
  requiredText,
  type Values,
  Wrong,
} from '../parameter-types.ts'
import { judge } from './change-parameters.ts'
import { schemaOwners } from './owner-words.ts'

const endpoint = endpointsOf('categories')

const { portalId, templateName, groupId } = exampleIds
const { mayAssign } = schemaOwners.find(({ kind }) => kind === 'portal')!
const path = '/portals/:portalId/categorySchemaTemplates'
const who = 'Members of the organization'

const nameText = requiredText('Name in the path of the template: small letters, digits and hyphens, a letter first.', {
  maxLength: 50,
})
const titleText = requiredName('Title.', { maxLength: maxTitleLength })

function refuse<Value>(value: Value, problem: string | undefined): Value | Wrong {
  return problem === undefined ? value : new Wrong(problem)
}

const given = judgedJson('JSON text of the category schema, in place of from. The rules are those of the organization.')

const parameters = {
  name: {
    ...nameText,
    read(text) {
      const name = nameText.read(text)
      return name instanceof Wrong ? name : refuse(name, findTemplateNameProblem(name))
    },
  } satisfies Parameter<string>,
  title: {
    ...titleText,
    read(text) {
      const title = titleText.read(text)
      return title instanceof Wrong ? title : refuse(title, findTemplateTitleProblem(title))
    },
  } satisfies Parameter<string>,
  from: {
    type: 'string',
    isRequired: false,
    meaning:
      'Schema that it is made from: org or group:<id> for a group of the organization; @ and a version behind it name an earlier one.',
    read(text) {
      if (text === undefined || text.trim() === '') return undefined
      const origin = parseOrigin(text)
      return 'problems' in origin ? new Wrong(origin.problems.join(' ')) : origin.value
    },
  } satisfies Parameter<TemplateOrigin | undefined> as Parameter<TemplateOrigin | undefined>,
  categorySchema: {
    ...given,
    isRequired: false,
    read: (text) => (text === undefined || text.trim() === '' ? undefined : given.read(text)),
  } satisfies Parameter<JudgedText | undefined> as Parameter<JudgedText | undefined>,
}

type Given = Parsed<Values<typeof parameters>>

/** The template that is asked for, with the verdict on the schema that is given. */
function templateOf(input: Given, verdict: Parsed<SchemaVerdict> | undefined): Parsed<NewTemplate> {
  if ('problems' in input) return input
  const { name, title, from } = input.value
  if (from && verdict) return { problems: ['Give from or categorySchema, not both.'] }
  if (from) return { value: { name, title, content: from } }
  if (!verdict) return { problems: ['from: give it, or categorySchema.'] }
  return mapParsed(verdict, (content) => ({ name, title, content }))
}

/** Templates that an organization keeps for its own schemas. */
export const ownTemplateRows: readonly Endpoint[] = [
  endpoint({
    id: 'listPortalSchemaTemplates',
    title: 'Category schema templates (organization)',
    task: 'list category schema templates',
    goals: ['Set up categories'],
    sharesPath: true,
    path,
    who,
    summary: 'Category schemas that the organization keeps to begin others with, sorted by name.',
    source: 'chosen',
    chosen: ['GET reads this list; POST of the same path creates a template.'],
    answers: { json: ownTemplateListShape },
    example: {
      ids: { portalId },
      answer: {
        templates: [
          {
            name: templateName,
            title: 'Land cover',
            categories: 4,
            source: `group:${groupId}@1`,
            created: exampleTime,
            createdBy: 'admin',
          },
        ],
      },
    },
    async answer({ ids, run }) {
      return { json: ownTemplateListToWire(await run(ids)) }
    },
  }),
  endpoint({
    id: 'createPortalSchemaTemplate',
    title: 'Create category schema template (organization)',
    task: 'create category schema template',
    goals: ['Set up categories', 'Copy categories to another group or server'],
    sharesPath: true,
    path,
    parameters,
    who: mayAssign,
    summary:
      'Keeps a category schema as a template: that of the organization, of one of its groups, or one that is given.',
    source: 'chosen',
    extension: 'ownTemplates',
    chosen: [
      `An organization has at most ${maxTemplates} templates. A name that is taken is refused: delete that template first.`,
      'What an export of the schema is refused for is refused here too, with one sentence; earlier versions are for those who may see them.',
      'Later changes of the schema do not change the template.',
    ],
    example: {
      ids: { portalId },
      parameters: { name: 'regions', title: 'Regions', from: 'org' },
      answer: { success: true },
    },
    async answer({ ids, input, read, run }) {
      const owner = { kind: 'portal', id: ids.portalId } as const
      const text = 'value' in input ? input.value.categorySchema : undefined
      const requirePermission = () => read(requireAssignable, { owner })
      const verdict = text && (await judge({ value: { categorySchema: text } }, portalLimits, requirePermission))
      await run({ portalId: ids.portalId, template: templateOf(input, verdict) })
      return success
    },
  }),
  endpoint({
    id: 'readPortalSchemaTemplate',
    title: 'Category schema template (organization)',
    task: 'read category schema template',
    path: `${path}/:templateName`,
    who,
    summary: 'A template of the organization as a category schema; nothing is published about its concepts.',
    source: 'chosen',
    answers: { json: templateShape },
    example: {
      ids: { portalId, templateName },
      answer: { name: templateName, title: 'Land cover', ...JSON.parse(exampleSchema), concepts: [] },
    },
    async answer({ ids, run }) {
      return { json: ownTemplateToWire(await run(ids)) }
    },
  }),
  endpoint({
    id: 'deletePortalSchemaTemplate',
    title: 'Delete category schema template (organization)',
    task: 'delete category schema template',
    path: `${path}/:templateName/delete`,
    who: mayAssign,
    summary: 'Deletes a template of the organization. Schemas that were begun with it stay.',
    source: 'chosen',
    example: { ids: { portalId, templateName }, answer: { success: true } },
    answer: runByIds,
  }),
]
