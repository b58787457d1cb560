import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import {
  type Extent,
  type ItemProperties,
  itemLimits,
  itemFields as recordFields,
  tagRules,
} from '../../../items/item.ts'
import type { GivenItem } from '../../../items/item-operations.ts'
import { isObject } from '../../../json-text.ts'
import { asSeen } from '../../../plain-text.ts'
import { say } from '../../../sentences/say.ts'
import type { RequestParameters } from '../../decoding/request-parameters.ts'
import { onlyGiven, optionalText, type Parameter, parametersOf, requiredText, Wrong } from '../parameter-types.ts'
import { changeOf, clearEmptyFields } from '../partial-update.ts'
import { optionalEntries } from './entries.ts'

/** Parameters for the fields of an item, and their conversion to properties. */

/** Parameters of an item, except title and type. */
export const itemFields = {
  tags: optionalEntries('Tags: a comma-separated list, or a JSON array.', tagRules),
  typeKeywords: optionalEntries('Words that describe the type: a comma-separated list, or a JSON array.', {
    max: itemLimits.typeKeywords,
    maxLength: itemLimits.typeKeyword,
  }),
  description: longText('Description', itemLimits.descriptionBytes),
  licenseInfo: longText('Terms of use', itemLimits.licenseInfoBytes),
  ...parametersOf(recordFields, {
    snippet: 'Short summary.',
    documentation: 'Documentation.',
    accessInformation: 'Whom to credit.',
    culture: 'Language and region.',
    spatialReference: 'Spatial reference.',
    url: 'Where what the item describes is.',
  }),
  extent: optionalExtent(
    'West, south, east and north in degrees: four numbers with commas, or a JSON array of two corners.',
  ),
  properties: optionalProperties('A JSON object, for clients.'),
  categories: optionalEntries(
    'Paths of categories of the organization, such as /Region/World: a comma-separated list, or a JSON array.',
    // Limits above those of an item, so that its own check reports an excess.
    { max: 200, maxLength: 1_000 },
  ),
  text: optionalText('Data of the item: text or JSON.'),
  /** Refused unless they are blank or say no: nothing else is kept here (chosen). */
  dataUrl: refused('Not supported: data is given as text.'),
  multipart: refused('Not supported: a file in parts.'),
  async: refused('Not supported: items are added immediately.'),
  filename: refused('Not supported: no files are kept here.'),
} as const

type FieldValues = {
  readonly [Name in keyof typeof itemFields]: (typeof itemFields)[Name] extends Parameter<infer Value> ? Value : never
}

/** Refusal of files (chosen): they would otherwise be lost without notice to the client. */
const noFiles = 'no files are kept here; give data as text.'
const fileFields = ['file', 'thumbnail', 'largeThumbnail', 'metadata', 'screenshot', 'screenshots', 'banner'] as const

/** The input, refused by the name of each file in it. */
export function withoutFiles<Value>(input: Parsed<Value>, parameters: RequestParameters): Parsed<Value> {
  const given = fileFields.filter((name) => parameters.findFile(name))
  if (given.length === 0) return input
  const problems = given.map((name) => `${name}: ${noFiles}`)
  return { problems: [...('problems' in input ? input.problems : []), ...problems] }
}

/** Content of a new item; an empty text is left out. */
export function newItemOf<Values extends FieldValues & Pick<ItemProperties, 'title' | 'type'>>(
  input: Parsed<Values>,
): Parsed<Values & GivenItem<Partial<ItemProperties> & Pick<ItemProperties, 'title' | 'type'>>> {
  return mapParsed(input, (values) => {
    const { title, type, text, categories } = values
    const properties = { ...propertiesOf(values), title, type }
    return { ...values, properties, text: text || undefined, categories }
  })
}

type Update = FieldValues & {
  readonly title: string | undefined
  readonly clearEmptyFields: boolean | undefined
}

export const updateFields = { ...itemFields, clearEmptyFields }

/** The change of an item. Empty categories always clear the field: a client sends them alone (observed). */
export function itemChangeOf(input: Parsed<Update>): Parsed<GivenItem<Partial<ItemProperties>>> {
  const change = changeOf(input, 'title')
  if ('problems' in change || 'problems' in input) return change as { readonly problems: readonly string[] }
  const { categories } = input.value
  const { text, title, ...fields } = change.value
  const properties = { ...propertiesOf(fields), ...onlyGiven({ title }) }
  return { value: { properties, text, categories } }
}

/** The properties among the values; an empty extent and empty properties are none. */
function propertiesOf(values: Partial<FieldValues>): Partial<ItemProperties> {
  const { tags, typeKeywords, snippet, description, documentation, accessInformation, licenseInfo } = values
  const { culture, spatialReference, url, extent, properties } = values
  return {
    ...onlyGiven({ tags, typeKeywords, snippet, description, documentation, accessInformation, licenseInfo }),
    ...onlyGiven({ culture, spatialReference, url }),
    ...(extent === undefined ? {} : { extent: extent.length === 0 ? undefined : extent }),
    ...(properties === undefined ? {} : { properties: properties || undefined }),
  }
}

/** Text with a limit in bytes. */
function longText(name: string, maxBytes: number): Parameter<string | undefined> {
  const meaning = `${name}: at most ${maxBytes / 1024} KB.`
  const parameter = optionalText(meaning)
  return { ...parameter, read: (given) => (given === undefined ? undefined : withinBytes(given, maxBytes, parameter)) }
}

function withinBytes(given: string, max: number, { read }: Parameter<string | undefined>): string | undefined | Wrong {
  const bytes = Buffer.byteLength(given)
  return bytes > max ? new Wrong(say('textTooLong', { bytes, max })) : read(given)
}

function optionalExtent(meaning: string): Parameter<Extent | readonly [] | undefined> {
  return {
    type: 'string',
    isRequired: false,
    meaning,
    read: (given) => (given === undefined ? undefined : readExtent(given.trim())),
  }
}

/** Maximum length of an extent, in UTF-16 code units: enough for any four numbers. */
const maxExtentLength = 500

/** Parses an extent; empty if there is none. Clients write numbers with commas or two corners, and null for none (observed). */
function readExtent(given: string): Extent | readonly [] | Wrong {
  if (given.length > maxExtentLength) return new Wrong(`has ${given.length} characters; give four numbers.`)
  const numbers = given.replace(/^\[\s*\[(.*)\]\s*,\s*\[(.*)\]\s*\]$/s, '$1,$2').replace(/^\[(.*)\]$/s, '$1')
  if (numbers.trim() === '' || given === 'null') return []
  const parts = numbers.split(',').map((part) => (/^\s*-?\d+(\.\d+)?(e[-+]?\d+)?\s*$/i.test(part) ? Number(part) : NaN))
  const [west = NaN, south = NaN, east = NaN, north = NaN] = parts
  if (parts.length !== 4 || parts.some((part) => !Number.isFinite(part))) {
    return new Wrong('has to be four numbers: west, south, east, north.')
  }
  const isEarthly = Math.abs(west) <= 360 && Math.abs(east) <= 360 && Math.abs(south) <= 90 && Math.abs(north) <= 90
  if (!isEarthly) return new Wrong('has to be in degrees: longitudes up to 360, latitudes up to 90.')
  if (west > east || south > north) return new Wrong('has to begin with west and south, the smaller ones.')
  return [west, south, east, north]
}

function optionalProperties(meaning: string): Parameter<string | undefined> {
  return { type: 'json', isRequired: false, meaning, read: (given) => given?.trim() && readProperties(given) }
}

function readProperties(given: string): string | Wrong {
  const max = itemLimits.propertiesBytes
  const bytes = Buffer.byteLength(given)
  if (bytes > max) return new Wrong(say('textTooLong', { bytes, max }))
  try {
    const value: unknown = JSON.parse(given)
    if (value === null) return ''
    return isObject(value) ? JSON.stringify(value) : new Wrong('is not a JSON object.')
  } catch {
    return new Wrong('is not JSON.')
  }
}

function refused(meaning: string): Parameter<undefined> {
  return {
    type: 'string',
    isRequired: false,
    meaning,
    read(given) {
      const text = given?.trim().toLowerCase() ?? ''
      return text === '' || text === 'false' || text === 'null'
        ? undefined
        : new Wrong('is not supported; leave it out.')
    },
  }
}

const givenType = requiredText('Type, such as Web Map.', { maxLength: itemLimits.type })

/** A type as it is seen: nothing that looks like it is another one. */
export const itemType: Parameter<string> = {
  ...givenType,
  read(given) {
    const type = givenType.read(given)
    return typeof type === 'string' ? asSeen(type) : type
  },
}

/** An id that an administrator gives an item. */
export const itemIdToCreate: Parameter<string | undefined> = {
  type: 'string',
  isRequired: false,
  meaning: 'Id of the new item, by an administrator: 32 hexadecimal digits that no item has or had.',
  read(given) {
    const text = given?.trim().toLowerCase() ?? ''
    if (text === '') return undefined
    return /^[0-9a-f]{32}$/.test(text) ? text : new Wrong('has to be 32 hexadecimal digits.')
  },
}
