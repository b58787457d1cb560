import type { Parsed } from '../../call/parsed.ts'
import { diffSchemas } from '../../categories/diff/diff.ts'
import { formatDiff } from '../../categories/diff/format-diff.ts'
import { groupLimits, portalLimits } from '../../categories/limits.ts'
import { type CategorySchema, measureSchema } from '../../categories/schema.ts'
import type { WrittenSchemaFile } from '../../schema-files/schema-file.ts'
import { writeSkos } from '../../schema-files/skos/write-skos.ts'
import { writeCsv, writeTextList, writeWorkbook } from '../../schema-files/written-rows.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { refused } from '../failure.ts'
import { requireWritable, writeWhole } from '../files/file.ts'
import { readSchemaFile } from '../files/read-file.ts'
import { colourDiff } from '../output/text.ts'
import { Sources } from './source.ts'

export async function get(call: Call): Promise<Answered> {
  const output = call.text('output')
  requireWritable(output)
  const sources = new Sources(call)
  const { schema, place } = await sources.read(call.positionals[0]!)
  const format = call.text('format') ?? 'json'
  const uri = place ? `${(await sources.portal()).portal.url}/sharing/rest${place.path}/categorySchema` : 'urn:schema'
  const written = writers[format]!(schema, { uri, bom: call.has('bom') })
  if ('problems' in written) throw refused(`The schema has no form as ${format}:`, written.problems)
  const { content } = written.value
  if (output !== undefined) writeWhole(output, content)
  return { json: { categorySchema: schema.categorySchema }, text: output === undefined ? content : '' }
}

/** The URIs of concepts begin with `uri`. */
type WriteOptions = Readonly<{ uri: string; bom: boolean }>
type Writer = (schema: CategorySchema, options: WriteOptions) => Parsed<Pick<WrittenSchemaFile, 'content'>>

const inSkos =
  (syntax: 'turtle' | 'jsonld'): Writer =>
  (schema, { uri }) => ({ value: writeSkos(schema, { syntax, uri, title: 'Content categories' }) })

/** Writers of files by the value of `--format`. */
const writers: Readonly<Record<string, Writer>> = {
  json: ({ categorySchema }) => ({ value: { content: `${JSON.stringify({ categorySchema }, null, 2)}\n` } }),
  csv: (schema, { bom }) => writeCsv(schema, { layout: 'path', delimiter: ',', bom }),
  text: writeTextList,
  xlsx: (schema) => writeWorkbook(schema, { layout: 'path' }),
  'skos-ttl': inSkos('turtle'),
  'skos-jsonld': inSkos('jsonld'),
}

export async function validate(call: Call): Promise<Answered> {
  const owner = call.text('for')
  const path = call.positionals[0]!
  const { schema, notes } = await readSchemaFile(call, path, owner === 'org' ? portalLimits : groupLimits)
  for (const note of notes) call.say(note)
  const { trees, categories } = measureSchema(schema)
  const whose = owner === 'org' ? 'organizations' : owner === 'group' ? 'groups' : 'groups, which are the stricter ones'
  const text = `${path} keeps the rules and the limits of ${whose}: ${trees} trees, ${categories} categories.`
  return { json: { valid: true, trees, categories, notes }, text }
}

export async function diff(call: Call): Promise<Answered> {
  const [one, other] = call.positionals
  const sources = new Sources(call)
  const { schema: before } = await sources.read(one!)
  const { schema: after } = await sources.read(other!)
  const found = diffSchemas(before, after, [])
  const { changes, summary, suggestions } = found
  const exit = call.has('detailed-exitcode') && changes.length > 0 ? 3 : 0
  const text = changes.length === 0 ? 'No change.' : colourDiff(formatDiff(found), call)
  return { json: { changes, summary, suggestions }, text, exit }
}
