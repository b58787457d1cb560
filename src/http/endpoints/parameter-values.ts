import { isUtf8 } from 'node:buffer'
import type { Parsed } from '../../call/parsed.ts'
import type { Given, RequestParameters } from '../decoding/request-parameters.ts'
import { type Parameter, type Parameters, type Values, Wrong } from './parameter-types.ts'

/** Reads every described parameter and reports all that is wrong. Parameters that no row describes are ignored. */
export function readValues<Described extends Parameters>(
  described: Described,
  params: RequestParameters,
): Parsed<Values<Described>> {
  const problems = [...params.problems]
  const values: Record<string, unknown> = {}
  for (const name in described) {
    const parameter = described[name]!
    const value = readValue(parameter, findGiven(name, parameter, params))
    if (value instanceof Wrong) problems.push(`${name}: ${value.sentence}`)
    else values[name] = value
  }
  return problems.length > 0 ? { problems } : { value: values as Values<Described> }
}

/** The text of a file, for a parameter of JSON too unless it is given as a field (chosen): `curl -F categorySchema=@file`. */
function findGiven(name: string, parameter: Parameter<unknown>, params: RequestParameters): Given | undefined {
  const given = params.find(name)
  const { type } = parameter
  const file = type === 'file' || (type === 'json' && given === undefined) ? params.findFile(name) : undefined
  return file ? textOf(file) : given
}

function readValue(parameter: Parameter<unknown>, given: Given | undefined): unknown {
  if (!given) return parameter.read(undefined)
  if ('malformed' in given) return parameter.readMalformed?.() ?? new Wrong('the bytes are not UTF-8.')
  if ('text' in given) return parameter.read(given.text)
  return parameter.readRepeated?.(given.texts) ?? new Wrong(`given ${given.texts.length} times; give it once.`)
}

function textOf(file: Buffer): Given {
  return isUtf8(file) ? { text: file.toString('utf8') } : { malformed: true }
}
