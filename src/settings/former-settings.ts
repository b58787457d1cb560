/** Settings of earlier versions that have no effect any more, in alphabetical order: a server logs them and starts. */
const formerSettings: ReadonlySet<string> = new Set(['LIMIT_SEARCHES_WAITING'])

export function isFormer(name: string): boolean {
  return formerSettings.has(name)
}

/** The sentence about the former settings of an environment; undefined if it has none. */
export function formatFormerSettings(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = Object.keys(environment).filter((name) => isFormer(name) && environment[name])
  if (names.length === 0) return undefined
  const [verb, them] = names.length === 1 ? ['is no setting', 'it'] : ['are no settings', 'them']
  return `${names.toSorted().join(' and ')} ${verb} any more and without effect: remove ${them}.`
}
