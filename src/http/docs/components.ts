import type { JsonSchema } from '../shapes/shape.ts'

/** The schema of a shape: components in it become references, itself included where it is one. */
export function describeShape(shape: JsonSchema): JsonSchema {
  const name = nameOf(shape)
  return name === undefined ? describeParts(shape) : referTo(name)
}

/** All components in these shapes, by name. */
export function describeComponents(shapes: readonly JsonSchema[]): Readonly<Record<string, JsonSchema>> {
  const found = new Map<string, JsonSchema>()
  for (const shape of shapes) collect(shape, found)
  const described = [...found].map(([name, { title: _, ...shape }]) => [name, describeParts(shape)] as const)
  return Object.fromEntries(described.sort(([one], [other]) => one.localeCompare(other)))
}

export function referTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** A component is a schema with a title; the member `title` of some objects is a schema itself. */
export function nameOf({ title }: JsonSchema): string | undefined {
  return typeof title === 'string' ? title : undefined
}

function describeParts(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([keyword, part]) => [keyword, describePart(part)]))
}

function describePart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(describePart)
  return isSchema(part) ? describeShape(part) : part
}

function collect(schema: JsonSchema, found: Map<string, JsonSchema>): void {
  const name = nameOf(schema)
  if (name !== undefined) {
    const known = found.get(name)
    if (known === schema) return
    if (known) throw new Error(`Two shapes are called ${name}.`)
    found.set(name, schema)
  }
  for (const part of Object.values(schema).flat()) if (isSchema(part)) collect(part, found)
}

function isSchema(part: unknown): part is JsonSchema {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}
