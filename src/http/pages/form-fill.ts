import { parseAnswer } from '../answer.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { FormChoice, FormSource } from '../endpoints/form-source.ts'
import { endpointTable } from '../endpoints/table.ts'
import type { RequestParameters } from '../request/request-parameters.ts'
import { type ReadRequest, RequestContext, tokenOf } from '../requests/context.ts'
import type { ServerContext } from '../requests/runner.ts'

/** What a form is filled in with besides what was given. */
export interface FormFill {
  readonly texts: ReadonlyMap<string, string>
  readonly choices: ReadonlyMap<string, readonly FormChoice[]>
}

/** The request of the page. */
type Asked = Omit<ReadRequest, 'token'>

const nothing: FormFill = { texts: new Map(), choices: new Map() }

/** Reads the sources of the row's form as the caller; a source that the caller may not read fills in nothing. */
export async function readFormFill(row: Endpoint, asked: Asked, server: ServerContext): Promise<FormFill> {
  if (!row.fills) return nothing
  const texts = new Map<string, string>()
  const choices = new Map<string, readonly FormChoice[]>()
  for (const source of row.fills) {
    const value = await readSource(source, asked, server)
    if (value === undefined) continue
    const found = { ...(source.isSameNamed && findSameNamed(row, value)), ...source.texts?.(value) }
    for (const [name, text] of Object.entries(found)) texts.set(name, text)
    for (const [name, listed] of Object.entries(source.choices?.(value) ?? {})) choices.set(name, listed)
  }
  return { texts, choices }
}

async function readSource({ from, query = {} }: FormSource, asked: Asked, server: ServerContext): Promise<unknown> {
  const row = endpointTable.find(({ id }) => id === from)
  if (!row) throw new Error(`There is no row ${from}.`)
  const given: RequestParameters = {
    find: (name) => (query[name] === undefined ? undefined : { text: query[name] }),
    findFile: () => undefined,
    tokens: asked.parameters.tokens,
    names: () => Object.keys(query),
    areAll: (isTrue) => Object.keys(query).every(isTrue),
    isInQuery: () => false,
    problems: [],
  }
  try {
    const token = tokenOf(asked.request, given, server)
    const answer = await row.answer(new RequestContext(row, { ...asked, parameters: given, token }, 'json', server))
    return 'json' in answer || 'document' in answer ? parseAnswer(answer) : undefined
  } catch {
    // What is wrong is said where the form is sent.
    return undefined
  }
}

function findSameNamed({ parameters }: Endpoint, value: unknown): Readonly<Record<string, string>> {
  const members = value as Readonly<Record<string, unknown>>
  const found = Object.entries(parameters).flatMap(([name, { isSecret, isUnfilled, type }]): [string, string][] => {
    const text =
      isSecret || isUnfilled || type === 'file' || !Object.hasOwn(members, name) ? undefined : textOf(members[name])
    return text === undefined ? [] : [[name, text]]
  })
  return Object.fromEntries(found)
}

/** As a parameter is written; undefined for what has no such text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string' && !entry.includes(','))
  return isList ? value.join(',') : undefined
}
