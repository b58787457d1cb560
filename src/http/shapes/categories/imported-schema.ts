import { fileFormats, type ReadSchemaFile } from '../../../schema-files/schema-file.ts'
import { choice, component, constant, integer, list, object, text, type ValueOf } from '../shape.ts'
import { successShapeWith } from '../success.ts'
import { categorySchemaMember } from './category-schema.ts'
import { changeMembers } from './schema-plan.ts'

const noteShape = object(
  { message: text('What was changed or left out.') },
  {
    row: integer('Row of the file, as a spreadsheet counts: the first, if the note is of several.', 1),
    uri: text('URI of the concept.'),
    file: { ...constant(true), description: 'For a note with neither: it is of the whole file.' },
  },
)

const importedShape = component(
  'ImportedFile',
  'What was read.',
  object({
    format: choice(fileFormats),
    rows: integer('Rows that became categories; in other formats, categories.', 1),
    notes: list(noteShape),
  }),
)

export const importAnswerShape = component(
  'ImportedCategorySchema',
  'The plan, or the version that was made; and the schema that was read, merged if so asked.',
  successShapeWith({ imported: importedShape, categorySchema: categorySchemaMember }, changeMembers),
)

export function importedToWire({ format, rows, notes }: ReadSchemaFile): ValueOf<typeof importedShape> {
  const placed = notes.map((note) => ('row' in note || 'uri' in note ? note : { ...note, file: true as const }))
  return { format, rows, notes: placed }
}
