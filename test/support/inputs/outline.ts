import type { Category, CategorySchema } from '../../../src/categories/schema.ts'

/** A schema from lines, indented by level: `  World: description`. */
export function outline(...lines: readonly string[]): CategorySchema {
  return { categorySchema: categoriesOf(lines, 0) }
}

function categoriesOf(lines: readonly string[], level: number): readonly Category[] {
  const starts = lines.flatMap((line, position) => (levelOf(line) === level ? position : []))
  return starts.map((start, position) => {
    const [title, description] = lines[start]!.trim().split(': ')
    const categories = categoriesOf(lines.slice(start + 1, starts[position + 1]), level + 1)
    return { title: title!, ...(description && { description }), ...(categories.length > 0 && { categories }) }
  })
}

function levelOf(line: string): number {
  return (line.length - line.trimStart().length) / 2
}
