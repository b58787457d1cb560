import type { Parsed } from '../../call/parsed.ts'
import { usernameKey } from '../../directory/user.ts'
import type { JsonSchema } from '../../http/shapes/shape.ts'
import { findJsonError } from '../../json-syntax.ts'
import { findDuplicateMember, isObject } from '../../json-text.ts'
import { type Seed, seedShape } from './seed-shape.ts'

/** The seed in a text, or every problem of it: a JSON pointer and a sentence each. */
export function parseSeed(text: string): Parsed<Seed> {
  const error = findJsonError(text)
  if (error) return { problems: [`Not JSON at line ${error.line}, column ${error.column}: ${error.problem}.`] }
  const duplicate = findDuplicateMember(text)
  if (duplicate) return { problems: [`${duplicate.pointer || '/'}: ${duplicate.name} is given twice.`] }
  const given: unknown = JSON.parse(text)
  const problems = findShapeProblems(given, seedShape, '')
  if (problems.length > 0) return { problems }
  const seed = given as Seed
  const contradictions = findContradictions(seed)
  return contradictions.length > 0 ? { problems: contradictions } : { value: seed }
}

/** Places where a value does not have the shape. */
function findShapeProblems(value: unknown, shape: JsonSchema, pointer: string): readonly string[] {
  const { type, properties = {}, required = [], items, enum: words } = shape
  const isOfType = type === undefined || typesOf(value).includes(String(type))
  if (!isOfType) return [`${pointer || '/'}: has to be ${articles[String(type)]}.`]
  if (Array.isArray(words) && !words.includes(value)) return [`${pointer}: has to be one of ${words.join(', ')}.`]
  if (Array.isArray(value) && items) {
    return value.flatMap((entry, index) => findShapeProblems(entry, items, `${pointer}/${index}`))
  }
  if (!isObject(value) || !shape.properties) return []
  const missing = required.filter((name) => !Object.hasOwn(value, name))
  return [
    ...missing.map((name) => `${pointer || '/'}: ${name} is missing.`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (Object.hasOwn(properties, name)) return findShapeProblems(member, properties[name]!, at)
      return [`${at}: is unknown; there may be ${Object.keys(properties).join(', ')}.`]
    }),
  ]
}

const articles: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  object: 'an object',
  string: 'a text',
}

function typesOf(value: unknown): readonly string[] {
  if (value === null) return ['null']
  return [Array.isArray(value) ? 'array' : typeof value]
}

/** Finds duplicates, and references to missing objects. */
function findContradictions(seed: Seed): readonly string[] {
  const { organization, roles = [], users = [], groups = [], items = [] } = seed
  const administrator = organization?.administrator
  const usernames = users.map(({ username }) => usernameKey(username))
  const known = new Set(usernames)
  if (administrator) known.add(usernameKey(administrator.username))
  const titles = groups.map(({ title }) => title)
  const unknownUser = (username: string | undefined, pointer: string) =>
    username === undefined || known.has(usernameKey(username))
      ? []
      : [`${pointer}: ${username} is no user of the seed.`]
  const listed = (names: readonly string[] = [], pointer: string) =>
    names.flatMap((name, index) => unknownUser(name, `${pointer}/${index}`))
  return [
    ...findRepeated(
      roles.map(({ name }) => name),
      (index) => `/roles/${index}/name`,
    ),
    ...findRepeated(usernames, (index) => `/users/${index}/username`),
    ...usernames.flatMap((username, index) =>
      administrator && username === usernameKey(administrator.username)
        ? [`/users/${index}/username: is that of /organization/administrator.`]
        : [],
    ),
    ...findRepeated(titles, (index) => `/groups/${index}/title`),
    ...groups.flatMap(({ owner, managers, members }, index) => [
      ...unknownUser(owner, `/groups/${index}/owner`),
      ...listed(managers, `/groups/${index}/managers`),
      ...listed(members, `/groups/${index}/members`),
    ]),
    ...items.flatMap((item, index) => [
      ...unknownUser(item.owner, `/items/${index}/owner`),
      ...(item.groups ?? []).flatMap(({ title }, at) =>
        titles.includes(title) ? [] : [`/items/${index}/groups/${at}/title: ${title} is no group of the seed.`],
      ),
    ]),
  ]
}

function findRepeated(names: readonly string[], pointerOf: (index: number) => string): readonly string[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [`${pointerOf(index)}: ${name} is given twice.`] : [],
  )
}
