import type { Parsed } from '../call/parsed.ts'
import type { CategorySchema } from '../categories/schema.ts'
import { listProblems, type WrittenSchemaFile } from './schema-file.ts'
import { listLines, pathOf } from './written-rows.ts'

const indent = '  '

/** Writes the titles of a schema as a list in which a category is indented below its parent. */
export function writeTextList({ categorySchema }: CategorySchema): Parsed<WrittenSchemaFile<string>> {
  const lines = listLines(categorySchema, [])
  const problems = lines.flatMap(({ titles, category: { title } }) => {
    const path = pathOf(titles)
    if (title === undefined) return [`${path} has no title; format=csv or format=json keeps it.`]
    return /^\s/.test(title) ? [`The title of ${path} begins with a blank; format=csv or format=json keeps it.`] : []
  })
  if (problems.length > 0) return { problems: listProblems(problems) }
  const content = lines.map(({ titles }) => `${indent.repeat(titles.length - 1)}${titles.at(-1)}\n`).join('')
  return { value: { content, extension: 'txt', contentType: 'text/plain; charset=utf-8' } }
}
