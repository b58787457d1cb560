import { errorShape } from '../../answer.ts'
import { type Endpoint, shapeOf } from '../../endpoints/endpoint.ts'
import { type Content, formatProse, type Html, html } from '../../pages/html.ts'
import type { JsonSchema } from '../../shapes/shape.ts'
import { describeComponents, describeShape } from '../components.ts'
import { formatTable } from './pieces.ts'

/** Describes the answer of an operation: the name of its shape, or its members. */
export function formatAnswer(row: Endpoint): Html {
  const shape = describeShape(shapeOf(row))
  if (shape['$ref'] === undefined) return html`<p><b>Answer:</b> an object.</p>${formatMembers(shape)}`
  return html`<p><b>Answer:</b> ${'file' in row.answers && 'the file, '}${formatType(shape)}.</p>`
}

/** Every shape that has a name. */
export function formatShapes(table: readonly Endpoint[]): Html {
  const shapes = Object.entries(describeComponents([errorShape, ...table.map(shapeOf)]))
  return html`${shapes.map(([name, shape]) => formatShape(name, shape))}`
}

function formatShape(name: string, shape: JsonSchema): Html {
  return html`<section><h3 id="${anchorOf(name)}">${name}</h3>
<p>${formatProse(String(shape['description']))}</p>${formatMembers(shape)}</section>
`
}

function formatMembers(shape: JsonSchema): Html {
  return formatTable(['Member', 'Type', 'Meaning'], listMembers('', shape))
}

/** The members of an object, those of objects within it under their paths. */
function listMembers(place: string, { properties = {}, required }: JsonSchema): readonly (readonly Content[])[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const type = html`${formatType(member)}${!required?.includes(name) && ', optional'}`
    const row = [html`<code>${place}${name}</code>`, type, formatProse(String(member['description'] ?? ''))]
    const { items } = member
    return [row, ...listMembers(`${place}${name}${items ? '[]' : ''}.`, items ?? member)]
  })
}

function formatType(schema: JsonSchema): Html {
  const { $ref, type, enum: words, const: value, items, oneOf } = schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1)!
    return html`<a href="#${anchorOf(name)}">${name}</a>`
  }
  if (value !== undefined) return html`<code>${String(value)}</code>`
  if (Array.isArray(words))
    return joined(
      words.map((word) => html`<code>${String(word)}</code>`),
      ', ',
    )
  if (Array.isArray(oneOf)) return joined(oneOf.map(formatType), ' or ')
  if (items) return html`list of ${formatType(items)}`
  return html`${[type].flat().join(' or ')}`
}

function joined(pieces: readonly Html[], between: string): Html {
  return html`${pieces.map((piece, at) => html`${at > 0 && between}${piece}`)}`
}

function anchorOf(name: string): string {
  return `shape-${name.toLowerCase()}`
}
