import type { Parsed } from '../call/parsed.ts'
import { asSeen, isBlank } from '../plain-text.ts'

/** Which items need a category, and whether sharing them is refused without one. */
export interface CategoryPolicy {
  readonly require: (typeof policyRequirements)[number]
  /** Paths: one of the categories has to be one of these, or below one; any category suffices where there are none. */
  readonly below: readonly string[]
  /** Types of items; all where there are none. */
  readonly types: readonly string[]
  /** The least access with which items are subject to the policy. */
  readonly when: (typeof policyAudiences)[number]
}

export const policyRequirements = ['off', 'report', 'enforce'] as const
export const policyAudiences = ['public', 'org', 'any'] as const

/** The policy of an organization that has set none. */
export const defaultCategoryPolicy: CategoryPolicy = { require: 'off', below: [], types: [], when: 'public' }

/** Chosen. */
export const categoryPolicyLimits = { below: 20, types: 50, pathLength: 500, typeLength: 128 } as const

/** The policy in a JSON value; members that are absent have their defaults. */
export function parseCategoryPolicy(given: unknown): Parsed<CategoryPolicy> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { problems: ['is not a JSON object.'] }
  const unknown = Object.keys(given).filter((name) => !(name in defaultCategoryPolicy))
  if (unknown.length > 0) return { problems: ['has members other than require, below, types and when.'] }
  const policy = { ...defaultCategoryPolicy, ...(given as Partial<CategoryPolicy>) }
  const { pathLength, typeLength } = categoryPolicyLimits
  const problems = [
    ...problemOfChoice('require', policy.require, policyRequirements),
    ...problemOfChoice('when', policy.when, policyAudiences),
    ...problemOfList('below', policy.below, pathLength, isPath, 'paths of categories, such as /Themes'),
    ...problemOfList('types', policy.types, typeLength, (type) => !isBlank(type), 'types of items, such as Web Map'),
  ]
  if (problems.length > 0) return { problems }
  return { value: { ...policy, below: [...new Set(policy.below)], types: [...new Set(policy.types.map(asSeen))] } }
}

function problemOfChoice(name: string, given: unknown, choices: readonly string[]): readonly string[] {
  return choices.some((choice) => choice === given) ? [] : [`${name} has to be one of ${choices.join(', ')}.`]
}

function problemOfList(
  name: 'below' | 'types',
  given: unknown,
  maxLength: number,
  isEntry: (text: string) => boolean,
  entries: string,
): readonly string[] {
  const max = categoryPolicyLimits[name]
  const isText = (entry: unknown) => typeof entry === 'string' && entry.length <= maxLength && isEntry(entry)
  if (!Array.isArray(given) || !given.every(isText)) return [`${name} has to be a list of ${entries}.`]
  return given.length > max ? [`${name} has ${given.length} entries; at most ${max} are allowed.`] : []
}

/** A slash, and a title behind each slash. */
function isPath(text: string): boolean {
  const [root, ...titles] = text.split('/')
  return root === '' && titles.length > 0 && titles.every((title) => !isBlank(title))
}
