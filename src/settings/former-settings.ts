/** Settings of earlier versions that have no effect any more, in alphabetical order: a server logs them and starts. */
const formerSettings: ReadonlySet<string> = new Set([
  'LIMIT_ITEMS_PER_GROUP',
  'LIMIT_REFUSALS_AT_ONCE',
  'LIMIT_REQUESTS_AT_ONCE',
  'LIMIT_SCHEMA_BYTES_PER_ORGANIZATION',
  'LIMIT_SCHEMA_BYTES_PER_OWNER',
  'LIMIT_SCHEMA_BYTES_PER_USER',
  'LIMIT_SEARCHES_WAITING',
  'LIMIT_UNANSWERED_BYTES',
  'LIMIT_WRITES_IN_FLIGHT',
  'LIMIT_WRITE_BYTES_IN_FLIGHT',
])

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
