import { type Parameter, Wrong } from './parameter-types.ts'

/** Parameters that the public API documents and that this server has no use for: named, so that none is dropped in silence. */

/** Parameters that are accepted with any value; a warning says that they have no effect. */
export function withoutEffect<const Name extends string>(...names: readonly Name[]) {
  return describeUnused(names, 'Without effect.', 'named')
}

/** Parameters that unmodified clients send by habit: accepted, and not named (observed). */
export function sentByClients<const Name extends string>(...names: readonly Name[]) {
  return describeUnused(names, 'Without effect; clients send it.', 'tolerated')
}

function describeUnused<const Name extends string>(
  names: readonly Name[],
  meaning: string,
  unused: 'named' | 'tolerated',
): { readonly [Named in Name]: Parameter<undefined> } {
  const parameter: Parameter<undefined> = {
    type: 'string',
    isRequired: false,
    meaning,
    unused,
    read: () => undefined,
    readMalformed: () => undefined,
  }
  return Object.fromEntries(names.map((name) => [name, parameter])) as {
    readonly [Named in Name]: Parameter<undefined>
  }
}

const empty: ReadonlySet<string> = new Set(['', '[]'])

/** Parameters that are refused unless empty, each with its reason: a client would rely on them. */
export function notKept<const Name extends string>(
  reasons: Readonly<Record<Name, string>>,
): { readonly [Named in Name]: Parameter<undefined> } {
  const described = Object.entries<string>(reasons).map(([name, reason]): [string, Parameter<undefined>] => [
    name,
    {
      type: 'string',
      isRequired: false,
      meaning: `Refused: ${reason}`,
      read: (given) => (given === undefined || empty.has(given.trim()) ? undefined : new Wrong(reason)),
    },
  ])
  return Object.fromEntries(described) as { readonly [Named in Name]: Parameter<undefined> }
}
