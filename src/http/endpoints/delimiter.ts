import { type Delimiter, delimiterNames, delimiterOf } from '../../schema-files/csv/table.ts'
import { type Parameter, Wrong } from './parameter-types.ts'

/** A sign between cells, by itself or by its name: a tab does not survive every client. */
export const delimiter: Parameter<Delimiter | undefined> = {
  type: 'string',
  isRequired: false,
  meaning: `Sign between cells: one of , ; | and a tab, or its name: ${delimiterNames.join(', ')}.`,
  read(given) {
    if (given === undefined || given === '') return undefined
    return delimiterOf(given) ?? new Wrong(`has to be one of ${delimiterNames.join(', ')}.`)
  },
}
