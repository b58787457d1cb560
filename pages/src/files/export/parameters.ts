import type { Parameters } from '../../api/parameters.ts'

export const formats = ['json', 'csv', 'xlsx', 'skos', 'text'] as const
export type Format = (typeof formats)[number]

/** Values of the fields of a format; unticked boxes are left out. */
type Chosen = Readonly<Record<string, string | undefined>>

export const delimiters = ['comma', 'semicolon', 'tab', 'bar'] as const

/** Parameters of the export. Those whose default differs between the form and the server are always sent. */
export function parametersOf(format: Format, chosen: Chosen, version: number | undefined): Parameters {
  const { layout, delimiter, syntax } = chosen
  const isTicked = (name: string) => chosen[name] !== undefined
  switch (format) {
    case 'csv':
      return { format, version, layout, delimiter, bom: isTicked('bom'), ids: isTicked('ids') }
    case 'xlsx':
      return { format, version, layout, ids: isTicked('ids') }
    case 'skos':
      return { format, version, syntax, language: chosen['language']?.trim() || undefined }
    default:
      return { format, version }
  }
}

const extensions = { json: 'json', csv: 'csv', xlsx: 'xlsx', skos: 'ttl', text: 'txt' } as const satisfies Record<
  Format,
  string
>

/** Name of the saved file, with the version if it is not the present one. */
export function fileNameOf(format: Format, { syntax }: Chosen, version: number | undefined): string {
  const extension = format === 'skos' && syntax === 'jsonld' ? 'jsonld' : extensions[format]
  return `categories${version === undefined ? '' : `-${version}`}.${extension}`
}

/** Delimiter that spreadsheets expect where a language is spoken: a semicolon if the decimal sign is a comma. */
export function delimiterIn(language: string): (typeof delimiters)[number] {
  const decimal = new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === 'decimal')
  return decimal?.value === ',' ? 'semicolon' : 'comma'
}
