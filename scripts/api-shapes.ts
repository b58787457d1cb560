/** Shapes of answers, for docs/api.md. */
import { errorShape } from '../src/http/answer.ts'
import { describeComponents, describeShape } from '../src/http/docs/components.ts'
import { type Endpoint, shapeOf } from '../src/http/endpoints/endpoint.ts'
import type { JsonSchema } from '../src/http/shapes/shape.ts'
import { escapeText, formatTable } from './markdown.ts'

/** What an operation answers: the name of a shape, or the members. */
export function formatAnswer(row: Endpoint): string {
  const shape = describeShape(shapeOf(row))
  if (shape['$ref'] === undefined) return `**Answer:** an object.\n\n${formatMembers(shape)}`
  return `**Answer:** ${'file' in row.answers ? 'the file, ' : ''}${formatType(shape)}.`
}

/** Every shape that has a name. */
export function formatShapes(table: readonly Endpoint[]): string {
  const shapes = Object.entries(describeComponents([errorShape, ...table.map(shapeOf)]))
  return shapes.map(([name, shape]) => formatShape(name, shape)).join('\n\n')
}

function formatShape(name: string, shape: JsonSchema): string {
  const sections = [`<a id="${anchorOf(name)}"></a>`, `### ${name}`, escapeText(String(shape['description']))]
  return [...sections, formatMembers(shape)].join('\n\n')
}

function formatMembers(shape: JsonSchema): string {
  return formatTable(['Member', 'Type', 'Meaning'], listMembers('', shape))
}

/** The members of an object, those of objects within it under their paths. */
function listMembers(place: string, { properties = {}, required }: JsonSchema): readonly (readonly string[])[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const type = formatType(member) + (required?.includes(name) ? '' : ', optional')
    const row = [`\`${place}${name}\``, type, escapeText(String(member['description'] ?? ''))]
    const { items } = member
    return [row, ...listMembers(`${place}${name}${items ? '[]' : ''}.`, items ?? member)]
  })
}

function formatType(schema: JsonSchema): string {
  const { $ref, type, enum: words, const: value, items, oneOf } = schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1)!
    return `[${name}](#${anchorOf(name)})`
  }
  if (value !== undefined) return `\`${value}\``
  if (Array.isArray(words)) return words.map((word) => `\`${word}\``).join(', ')
  if (Array.isArray(oneOf)) return oneOf.map(formatType).join(' or ')
  if (items) return `list of ${formatType(items)}`
  return [type].flat().join(' or ')
}

function anchorOf(name: string): string {
  return `shape-${name.toLowerCase()}`
}
