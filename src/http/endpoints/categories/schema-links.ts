import { schemaOf, type Template } from '../../../schema-files/templates/template.ts'
import { templates } from '../../../schema-files/templates/templates.ts'
import type { Link } from '../endpoint.ts'

/** Links from a schema to its operations and to the templates; `path` is that of the schema, with the ids in it. */
export function schemaLinks(path: string): readonly Link[] {
  const below = ['plan', 'versions', 'drafts', 'export', 'import'].map((name) => ({ path: `${path}/${name}` }))
  return [...below, { path: '/categorySchemaTemplates' }]
}

/** Links after a change: to the current schema, and to its versions. */
export function presentLinks(path: string): readonly Link[] {
  return [{ path }, versionsLink(path)]
}

/** Link to the versions of a schema, which include later changes by other users. */
export function versionsLink(path: string): Link {
  return { path: `${path}/versions` }
}

/** The forms that are filled in with a template. */
export function beginningLinks(path: string): readonly Link[] {
  return templates.map((template) => beginningLink(path, template, `Begin with ${template.title} (${template.name})`))
}

export function beginningLink(path: string, template: Template, text: string): Link {
  const query = { text: JSON.stringify(schemaOf(template, false)), format: 'json', dryRun: 'true' }
  return { text, path: `${path}/import`, query }
}
