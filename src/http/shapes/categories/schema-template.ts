import type { OwnTemplate, StoredTemplate } from '../../../schema-files/templates/store.ts'
import { conceptsOf, schemaOf, sizeOf, type Template } from '../../../schema-files/templates/template.ts'
import { component, integer, list, object, text, time, type ValueOf } from '../shape.ts'
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

export const ownTemplateListShape = object({
  templates: list(
    component(
      'OwnCategorySchemaTemplateSummary',
      'A template of the organization.',
      object(
        {
          name,
          title: text(),
          categories: integer('Number of categories on all levels.', 1),
          created: time('When it was created.'),
          createdBy: text('Username.'),
        },
        {
          source: text('Schema and version that it was made from: org@3, or group:<id>@3. Absent where it was given.'),
        },
      ),
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

export function ownTemplateListToWire(templates: readonly OwnTemplate[]): ValueOf<typeof ownTemplateListShape> {
  return {
    templates: templates.map(({ name, title, categories, source, createdAt, createdBy }) => {
      return { name, title, categories, created: createdAt, createdBy, ...(source !== undefined && { source }) }
    }),
  }
}

/** A template of an organization in the shape of a published list; nothing is published about its categories. */
export function ownTemplateToWire({ name, title, document }: StoredTemplate): ValueOf<typeof templateShape> {
  const { categorySchema } = JSON.parse(document)
  return { name, title, categorySchema, concepts: [] }
}
