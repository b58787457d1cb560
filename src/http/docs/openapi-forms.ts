import { formats } from '../answer.ts'
import { type Endpoint, formatsOf } from '../endpoints/endpoint.ts'
import type { Parameter } from '../endpoints/parameter-types.ts'
import type { JsonSchema } from '../shapes/shape.ts'
import { referTo } from './components.ts'

/** Parameters of an operation, as a query and as the forms of a body. */

export const formatMeaning =
  'Format of the answer. By default HTML if the Accept header prefers it, as that of a browser does, else JSON.'

/** Parameters of every form. */
const everyForm = { f: referTo('Format'), token: referTo('Token') }

/** The format of a row's answer: its own schema where the row has formats of its own. */
function describeFormat(row: Endpoint): JsonSchema {
  const own = formatsOf(row)
  return own === formats ? everyForm.f : { type: 'string', enum: own, description: formatMeaning }
}

/** Schemas that forms refer to. */
export const sharedSchemas: Readonly<Record<string, JsonSchema>> = {
  Format: { type: 'string', enum: formats, description: formatMeaning },
  Token: { type: 'string', format: 'password', description: 'A token, unless it is in a header or in the query.' },
  Form: { type: 'object', properties: everyForm },
}

export function describeQuery(row: Endpoint): readonly object[] {
  const described = Object.entries(row.parameters).map(([name, parameter]) => {
    const example = exampleOf(row, name)
    return {
      name,
      in: 'query',
      description: parameter.meaning,
      ...(parameter.isRequired ? { required: true } : {}),
      schema: describeParameter(parameter),
      ...(example === undefined ? {} : { example }),
    }
  })
  const format = describeFormat(row)
  const shared = { $ref: '#/components/parameters/f' }
  return [...described, format === everyForm.f ? shared : { name: 'f', in: 'query', schema: format }]
}

/** The example's value of a parameter, as the type that the document gives it. */
function exampleOf({ parameters, example }: Endpoint, name: string): unknown {
  const given = example.parameters?.[name]
  const type = parameters[name]!.type
  if (given === undefined) return undefined
  return type === 'integer' ? Number(given) : type === 'boolean' ? given === 'true' : given
}

/** The schema of a parameter's text. */
export function describeParameter({
  type,
  choices,
  maxLength,
  minimum,
  maximum,
  isSecret,
}: Parameter<unknown>): JsonSchema {
  return {
    type: type === 'integer' || type === 'boolean' ? type : 'string',
    ...(type === 'json' ? { contentMediaType: 'application/json' } : {}),
    ...(isSecret ? { format: 'password' } : {}),
    ...(choices ? { enum: choices } : {}),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  }
}

export function describeBody(row: Endpoint): object {
  const names = Object.keys(row.parameters)
  const given = names.filter((name) => row.example.parameters?.[name] !== undefined)
  const form = {
    schema: names.length === 0 ? referTo('Form') : referTo(formName(row)),
    ...(given.length > 0 ? { example: Object.fromEntries(given.map((name) => [name, exampleOf(row, name)])) } : {}),
  }
  const bare = row.bareBody && row.example.parameters?.[row.bareBody]
  return {
    required: names.some((name) => row.parameters[name]!.isRequired),
    content: {
      'application/x-www-form-urlencoded': form,
      'multipart/form-data': hasFile(row) ? { ...form, schema: referTo(`${formName(row)}Multipart`) } : form,
      ...(bare ? { 'application/json': { schema: referTo('CategorySchema'), example: JSON.parse(bare) } } : {}),
    },
  }
}

function hasFile({ parameters }: Endpoint): boolean {
  return Object.values(parameters).some(({ type }) => type === 'file')
}

function formName({ id }: Endpoint): string {
  return `${id[0]!.toUpperCase()}${id.slice(1)}Form`
}

export function describeForms(row: Endpoint): readonly (readonly [string, JsonSchema])[] {
  if (Object.keys(row.parameters).length === 0) return []
  const form = [formName(row), describeForm(row, {})] as const
  // Parts that are files are in multipart bodies only; elsewhere their text is an ordinary value.
  return hasFile(row) ? [form, [`${formName(row)}Multipart`, describeForm(row, { format: 'binary' })]] : [form]
}

function describeForm(row: Endpoint, file: JsonSchema): JsonSchema {
  const entries = Object.entries(row.parameters)
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name)
  const properties = entries.map(([name, parameter]) => {
    const document = name === row.bareBody ? { contentSchema: referTo('CategorySchema') } : {}
    return [
      name,
      {
        description: parameter.meaning,
        ...describeParameter(parameter),
        ...document,
        ...(parameter.type === 'file' ? file : {}),
      },
    ]
  })
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...everyForm, f: describeFormat(row) },
    ...(required.length > 0 ? { required } : {}),
  }
}
