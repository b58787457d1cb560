import type { Parsed } from '../call/parsed.ts'
import { findEntriesProblem } from '../plain-text.ts'
import { say } from '../sentences/say.ts'
import { type Webhook, webhookLimits } from './hook.ts'
import { readPath } from './paths.ts'

/** Rules of what is given for a webhook. */

/** Maximum UTF-16 code units of a list, more than any that is allowed needs. */
const maxListText = 65_536

/** Texts with commas between them, or as a JSON array; blanks around them are cut, and empty ones left out. */
export function parseTexts(text: string, rules: { readonly max: number; readonly maxLength: number }): Parsed<Texts> {
  if (text.length > maxListText) return { problems: [say('tooLong', { length: text.length, max: maxListText })] }
  const listed = text.trim().startsWith('[') ? parseArray(text) : text.split(',')
  if (!listed) return { problems: ['begins like a JSON array of texts, and is none.'] }
  const entries = listed.map((entry) => entry.trim()).filter((entry) => entry !== '')
  if (entries.length === 0) return { problems: ['give a value.'] }
  const problem = findEntriesProblem(entries, rules)
  return problem === undefined ? { value: entries } : { problems: [problem] }
}

type Texts = readonly string[]

function parseArray(text: string): Texts | undefined {
  try {
    const array: readonly unknown[] = JSON.parse(text)
    return array.every((entry) => typeof entry === 'string') ? array : undefined
  } catch {
    return undefined
  }
}

/** Paths of events, each of which covers one; `ALL` stands for all (observed). */
export function parsePaths(text: string): Parsed<Texts> {
  const parsed = parseTexts(text, { max: webhookLimits.paths, maxLength: webhookLimits.path })
  if ('problems' in parsed) return parsed
  const paths = parsed.value.map((path) => (path.toLowerCase() === 'all' ? '/' : path))
  const read = paths.map(readPath).find((one) => 'problem' in one)
  return read ? { problems: [read.problem] } : { value: paths }
}

/** Paths that the public API has, and that nothing causes here. */
export function listUnused(paths: Texts): Texts {
  return paths.filter((path) => 'unused' in readPath(path))
}

export type Policy = Pick<Webhook, 'numberOfFailures' | 'daysInPast'>

export const defaultPolicy: Policy = { numberOfFailures: 5, daysInPast: 5 }

const maxima: Policy = { numberOfFailures: 100, daysInPast: 30 }

/** Numbers of a deactivation policy, and the names of members that are unknown. */
export interface GivenPolicy {
  readonly policy: Partial<Policy>
  readonly unknown: Texts
}

/** Reads the JSON of `config`; null stands for none (observed). */
export function parsePolicy(config: unknown): Parsed<GivenPolicy> {
  if (config === null) return { value: { policy: {}, unknown: [] } }
  if (!isObject(config)) return { problems: ['is not a JSON object.'] }
  if ('properties' in config) return { problems: ['properties are for notebooks, which are not here.'] }
  const { deactivationPolicy = {}, ...others } = config
  if (!isObject(deactivationPolicy)) return { problems: ['deactivationPolicy is not a JSON object.'] }
  const policy = Object.entries(deactivationPolicy)
  const known = policy.filter((entry): entry is [keyof Policy, unknown] => Object.hasOwn(maxima, entry[0]))
  const wrong = known.find(([name, value]) => !isWhole(value, maxima[name]))
  if (wrong) return { problems: [`${wrong[0]} has to be a whole number from 1 to ${maxima[wrong[0]]}.`] }
  const unknown = [
    ...Object.keys(others),
    ...policy.map(([name]) => name).filter((name) => !Object.hasOwn(maxima, name)),
  ]
  return { value: { policy: Object.fromEntries(known), unknown } }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWhole(value: unknown, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max
}

/** Begin of secrets that are base64 of a key (Standard Webhooks). */
export const secretPrefix = 'whsec_'

/** Why a person's own secret is refused. */
export function findSecretProblem(secret: string): string | undefined {
  if (secret.length > webhookLimits.secret) {
    return say('tooLong', { length: secret.length, max: webhookLimits.secret })
  }
  if (!secret.startsWith(secretPrefix)) return undefined
  const key = secret.slice(secretPrefix.length)
  const bytes = Buffer.from(key, 'base64')
  const isKey = bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === key
  return isKey ? undefined : `has to be base64 of 24 to 64 bytes behind ${secretPrefix}.`
}

/** The part of an address that the log shows: paths of receivers are often secrets. */
export function originOf(url: string): string {
  return /^https?:/i.test(url) ? new URL(url).origin : url
}
