import type { Move } from '../../../categories/moves.ts'
import { type FileReading, fileFormats, type ReadSchemaFile } from '../../../schema-files/schema-file.ts'
import { causeMember, causeToWire } from '../cause.ts'
import { choice, component, constant, integer, list, object, text, type ValueOf } from '../shape.ts'
import { successShapeWith } from '../success.ts'
import { categorySchemaMember } from './category-schema.ts'
import { readingShape, readingToWire } from './file-reading.ts'
import { changeMembers } from './schema-plan.ts'

const noteShape = object(
  { message: text('What was changed or left out.') },
  {
    row: integer('Row of the file, as a spreadsheet counts: the first, if the note is of several.', 1),
    uri: text('URI of the concept.'),
    ...causeMember,
    file: { ...constant(true), description: 'For a note with neither: it is of the whole file.' },
  },
)

const importedShape = component(
  'ImportedFile',
  'What was read.',
  object(
    {
      format: choice(fileFormats),
      rows: integer('Rows that became categories; in other formats, categories.', 1),
      notes: list(noteShape),
    },
    {
      language: text('Language of labels that was preferred, if the file has several or was asked for one.'),
      moves: list(
        object({ from: text(), to: text() }),
        'Renames and moves by the identifiers or URIs of the file, which items follow; moves=[] leaves them out.',
      ),
      reading: readingShape,
    },
  ),
)

export const importAnswerShape = component(
  'ImportedCategorySchema',
  'The plan, or the version that was made; and the schema that was read, merged if so asked.',
  successShapeWith({ imported: importedShape, categorySchema: categorySchemaMember }, changeMembers),
)

/** The file as it was read, and the moves that it leads to. */
interface Imported extends ReadSchemaFile, FileReading {
  readonly moves: readonly Move[]
}

export function importedToWire(
  { moves, language, ...read }: Imported,
  withReading: boolean,
): ValueOf<typeof importedShape> {
  const { format, rows, notes } = read
  const placed = notes.map((note) => ({
    ...note,
    ...causeToWire(note.message),
    ...('row' in note || 'uri' in note ? {} : { file: true as const }),
  }))
  return {
    format,
    rows,
    notes: placed,
    ...(language !== undefined && { language }),
    ...(moves.length > 0 && { moves }),
    ...(withReading && { reading: readingToWire(read) }),
  }
}
