import { delimiters } from '../../schema-files/csv/table.ts'
import { type Parameter, Wrong } from './parameter-types.ts'

const names: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', bar: '|' }

/** A sign between cells, by itself or by its name: a tab does not survive every client. */
export const delimiter: Parameter<(typeof delimiters)[number] | undefined> = {
  type: 'string',
  isRequired: false,
  meaning: `Sign between cells: one of , ; | and a tab, or its name: ${Object.keys(names).join(', ')}.`,
  read(given) {
    if (given === undefined || given === '') return undefined
    const sign = names[given.trim().toLowerCase()] ?? given
    return delimiters.find((one) => one === sign) ?? new Wrong(`has to be one of ${Object.keys(names).join(', ')}.`)
  },
}
