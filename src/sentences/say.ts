import { type Code, type ParametersOf, sentences } from './sentences.ts'

/** The sentence of a code, with the values of its parameters. */
export function say<Of extends Code>(
  code: Of,
  ...[parameters]: keyof ParametersOf<Of> extends never ? [] : [ParametersOf<Of>]
): string {
  if (parameters === undefined) return sentences[code]
  const values = parameters as Readonly<Record<string, string | number>>
  return sentences[code].replace(/\{(\w+)#?\}/g, (_, name: string) => String(values[name]))
}
