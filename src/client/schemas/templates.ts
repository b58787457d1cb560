import { sizeOf } from '../../schema-files/templates/template.ts'
import { templates } from '../../schema-files/templates/templates.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { objectsOf, textOf } from '../network/facts.ts'
import { formatTable } from '../output/text.ts'
import { Sources } from './source.ts'

export async function listTemplates(call: Call): Promise<Answered> {
  const listed = call.has('org') ? await ofOrganization(call) : published()
  const rows = listed.map(({ name, title, categories }) => [name, title, String(categories)])
  return { json: { templates: listed }, text: formatTable(['name', 'title', 'categories'], rows, call.shell) }
}

function published() {
  return templates.map((one) => ({ name: one.name, title: one.title, categories: sizeOf(one) }))
}

async function ofOrganization(call: Call) {
  const listed = objectsOf(await new Sources(call).ownTemplates(), 'templates')
  return listed.map((one) => ({
    name: textOf(one['name']),
    title: textOf(one['title']),
    categories: one['categories'],
  }))
}

export async function showTemplate(call: Call): Promise<Answered> {
  const [name] = call.positionals
  const { schema } = await new Sources(call).read(`${call.has('org') ? 'orgtemplate' : 'template'}:${name}`)
  return { json: { name, ...schema }, text: JSON.stringify(schema, null, 2) }
}
