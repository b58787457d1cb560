import { conceptsOf, schemaOf, sizeOf, type Template } from '../../../schema-files/templates/template.ts'
import { component, integer, list, object, text, type ValueOf } from '../shape.ts'
import { categorySchemaMember } from './category-schema.ts'

const name = text('In the path of its resource.')
const title = text('Title of its tree.')
const uri = text('URI of the concept in its register.')
const label = text('The published label; titles have no slashes and commas.')

export const templateListShape = object({
  templates: list(
    component(
      'CategorySchemaTemplateSummary',
      'A published list of categories.',
      object({
        name,
        title,
        categories: integer('Number of categories, root included.', 1),
        source: text('Where the list was published.'),
      }),
    ),
  ),
})

export const templateShape = component(
  'CategorySchemaTemplate',
  'A published list of categories as a category schema.',
  object({
    name,
    title,
    categorySchema: categorySchemaMember,
    concepts: list(
      object({ path: text('Path of the category.'), uri, code: text('Code of the concept in its list.'), label }),
      'What is published about the categories.',
    ),
  }),
)

export function templateListToWire(templates: readonly Template[]): ValueOf<typeof templateListShape> {
  return {
    templates: templates.map((template) => {
      const { name, title, source } = template
      return { name, title, categories: sizeOf(template), source }
    }),
  }
}

export function templateToWire(template: Template, keepUris: boolean): ValueOf<typeof templateShape> {
  const { name, title } = template
  return { name, title, ...schemaOf(template, keepUris), concepts: conceptsOf(template) }
}
