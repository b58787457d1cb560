import { unwrapParsed } from '../../../call/parsed.ts'
import { resourceNotFound } from '../../../errors.ts'
import { chooseLanguage } from '../../../languages.ts'
import { templates, templatesIn } from '../../../schema-files/templates/templates.ts'
import {
  templateListShape,
  templateListToWire,
  templateShape,
  templateToWire,
} from '../../shapes/categories/schema-template.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { optionalBoolean } from '../parameter-types.ts'
import { optionalLanguage } from './language.ts'

const endpoint = endpointsOf('categories')

const language = optionalLanguage(
  'Language of titles and labels: ar, de, en, es, fr or ja; English in place of any other, and by default.',
)

/** Published lists of categories, to begin a schema with. */
export const templateRows: readonly Endpoint[] = [
  endpoint({
    id: 'listCategorySchemaTemplates',
    title: 'Category schema templates',
    goals: ['Set up categories'],
    path: '/categorySchemaTemplates',
    parameters: { language },
    token: 'none',
    who: 'Anyone',
    summary: 'Published lists of categories, to begin a schema with.',
    source: 'chosen',
    answers: { json: templateListShape },
    example: {
      answer: {
        templates: [
          {
            name: 'iso19115',
            title: 'ISO topic categories',
            categories: 20,
            source: 'ISO 19115:2003, MD_TopicCategoryCode (B.5.27)',
          },
          {
            name: 'inspire',
            title: 'INSPIRE themes',
            categories: 35,
            source: 'Directive 2007/2/EC, Annexes I to III; INSPIRE theme register',
          },
          {
            name: 'inspire-annexes',
            title: 'INSPIRE themes by annex',
            categories: 38,
            source: 'Directive 2007/2/EC, Annexes I to III; INSPIRE theme register',
          },
        ],
      },
    },
    async answer({ input }) {
      const { language } = unwrapParsed(input)
      return { json: templateListToWire(templatesIn(chooseLanguage([language]))) }
    },
  }),
  endpoint({
    id: 'readCategorySchemaTemplate',
    title: 'Category schema template',
    path: '/categorySchemaTemplates/:templateName',
    parameters: {
      keepUris: optionalBoolean('true: the URI of each concept becomes the source of its category. Default false.'),
      language,
    },
    token: 'none',
    who: 'Anyone',
    summary: 'A published list as a category schema, with code, label and URI of its concepts.',
    source: 'chosen',
    chosen: [
      'A slash in a label is `∕` in the title: items refer to categories by paths.',
      'URIs are sources only if asked for: what a real portal does with them is not known.',
    ],
    answers: { json: templateShape },
    example: {
      ids: { templateName: 'inspire' },
      answer: templateToWire(templates.find(({ name }) => name === 'inspire')!, false),
    },
    async answer({ ids, input }) {
      if (!templates.some(({ name }) => name === ids.templateName)) throw resourceNotFound()
      const { keepUris = false, language } = unwrapParsed(input)
      const template = templatesIn(chooseLanguage([language])).find(({ name }) => name === ids.templateName)!
      return { json: templateToWire(template, keepUris) }
    },
  }),
]
