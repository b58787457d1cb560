import { type Parameter, Wrong } from './parameter-types.ts'

/** Parameters that the public API documents and that this server has no use for: named, so that none is dropped in silence. */

/** Accepted, whatever they say. */
export function withoutEffect<const Name extends string>(
  ...names: readonly Name[]
): { readonly [Named in Name]: Parameter<undefined> } {
  const parameter: Parameter<undefined> = {
    type: 'string',
    isRequired: false,
    meaning: 'Without effect.',
    read: () => undefined,
    readMalformed: () => undefined,
  }
  return Object.fromEntries(names.map((name) => [name, parameter])) as {
    readonly [Named in Name]: Parameter<undefined>
  }
}

/** Refused unless empty, with a reason for each: what a client would rely on. */
export function notKept<const Name extends string>(
  reasons: Readonly<Record<Name, string>>,
): { readonly [Named in Name]: Parameter<undefined> } {
  const described = Object.entries<string>(reasons).map(([name, reason]): [string, Parameter<undefined>] => [
    name,
    {
      type: 'string',
      isRequired: false,
      meaning: `Refused: ${reason}`,
      read: (given) => (given === undefined || given.trim() === '' ? undefined : new Wrong(reason)),
    },
  ])
  return Object.fromEntries(described) as { readonly [Named in Name]: Parameter<undefined> }
}
