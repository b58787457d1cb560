import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { pullAddress, webhookLimits } from '../../../webhooks/hook.ts'
import type { GivenHook } from '../../../webhooks/hook-operations.ts'
import { findSecretProblem, listUnused, parsePaths, parsePolicy, secretPrefix } from '../../../webhooks/rules.ts'
import type { ApiRequest } from '../endpoint.ts'
import {
  changedName,
  onlyGiven,
  optionalChoice,
  optionalJson,
  optionalText,
  type Parameter,
  requiredName,
  requiredText,
  type Values,
  Wrong,
} from '../parameter-types.ts'
import { shorten } from '../parameter-warnings.ts'

const nameMeaning = 'Name, unique in the organization whatever its case.'
const urlMeaning =
  'Address that deliveries are sent to, by https; http for hosts that the setting WEBHOOK_ALLOWED_HOSTS names. `pull:` for a webhook that a program fetches from, which needs no setting.'
const url = requiredText(urlMeaning, { maxLength: webhookLimits.url })

/** Undefined without one, and for the null that clients send back (observed); empty where one is to be made. */
function secretParameter(meaning: string): Parameter<string | undefined> {
  return {
    type: 'string',
    isRequired: false,
    meaning,
    maxLength: webhookLimits.secret,
    isSecret: true,
    read(given) {
      if (given === undefined || given === 'null') return undefined
      const problem = findSecretProblem(given)
      return problem === undefined ? given : new Wrong(problem)
    },
  }
}

const secretRules = `1 to ${webhookLimits.secret} characters, kept as sent; behind ${secretPrefix}, base64 of 24 to 64 bytes.`
export const newSecret = secretParameter(
  `Secret that deliveries are signed with: ${secretRules} Without it, one is made.`,
)

const shared = {
  config: optionalJson(
    '{"deactivationPolicy":{"numberOfFailures":5,"daysInPast":5}}: it is switched off when so many deliveries, 1 to 100, have failed within so many days, 1 to 30. Both are 5 by default.',
    parsePolicy,
  ),
  changes: optionalChoice(
    '`allChanges` asks for every event, whatever events says; `manualChanges` for those of events.',
    ['allChanges', 'manualChanges'],
  ),
  events: optionalText(
    `Paths of events, with commas between them or as a JSON array of texts; ALL for every one. At most ${webhookLimits.paths} of ${webhookLimits.path} characters.`,
  ),
} as const

export const createParameters = {
  name: requiredName(nameMeaning, { maxLength: webhookLimits.name }),
  url,
  secret: newSecret,
  ...shared,
}

export const updateParameters = {
  name: changedName(nameMeaning, { maxLength: webhookLimits.name }),
  url: {
    ...url,
    isRequired: false,
    read: (given) => (given === undefined ? undefined : url.read(given)),
  } satisfies Parameter<string | undefined> as Parameter<string | undefined>,
  secret: secretParameter(`Another secret, which counts alone from now on: ${secretRules} Empty, one is made.`),
  ...shared,
}

type Given = Partial<Values<typeof updateParameters>>

/** A webhook that is made, without its secret. */
export function newHookOf(input: Parsed<Values<typeof createParameters>>): Parsed<GivenHook> {
  if ('problems' in input) return input
  const { name, url: address, config } = input.value
  const events = eventsOf(input.value)
  if ('problems' in events) return events
  if (!events.value) return { problems: ['events: give a value, or changes=allChanges.'] }
  return { value: { name, url: address, events: events.value, ...onlyGiven({ policy: config?.policy }) } }
}

/** Values of a webhook that are given, without its secret. */
export function changeOf(input: Parsed<Values<typeof updateParameters>>): Parsed<Partial<GivenHook>> {
  if ('problems' in input) return input
  const { name, url: address, config } = input.value
  return mapParsed(eventsOf(input.value), (events) => onlyGiven({ name, url: address, events, policy: config?.policy }))
}

/** Every event wins over those that are named. */
function eventsOf({ changes, events }: Given): Parsed<readonly string[] | undefined> {
  if (changes === 'allChanges') return { value: ['/'] }
  if (events === undefined || events.trim() === '') {
    return changes === undefined ? { value: undefined } : { problems: ['events: give a value.'] }
  }
  const parsed = parsePaths(events)
  return 'value' in parsed ? parsed : { problems: parsed.problems.map((problem) => `events: ${problem}`) }
}

/** Paths that nothing causes, members that are unknown, a short secret. */
export function warningsOf(input: Parsed<Given>, hook: Parsed<Partial<GivenHook>>): readonly string[] {
  if ('problems' in input || 'problems' in hook) return []
  const { secret, config } = input.value
  return [
    ...listUnused(hook.value.events ?? []).map((path) => `events: nothing here causes ${path}.`),
    ...(config?.unknown ?? []).slice(0, maxNamed).map((name) => `config: ${shorten(name)} is unknown.`),
    ...shortSecret(secret),
  ]
}

const maxNamed = 10

export function shortSecret(secret: string | undefined): readonly string[] {
  if (!secret || secret.length >= webhookLimits.safeSecret) return []
  return [`secret: ${secret.length} characters; ${webhookLimits.safeSecret} and more are safe.`]
}

type Outside = Pick<ApiRequest, 'dependencies'>

/** Refuses an address that nothing is sent to. It is looked up here, before the transaction. */
export async function judgeAddress<Hook extends { readonly url?: string }>(
  hook: Parsed<Hook>,
  { dependencies }: Outside,
): Promise<Parsed<Hook>> {
  const address = 'value' in hook ? hook.value.url : undefined
  if (address === undefined || address === pullAddress) return hook
  const { outgoing } = dependencies
  const problem = outgoing ? await outgoing.findRefusal(address) : nothingSent
  return problem === undefined ? hook : { problems: [problem] }
}

const nothingSent = 'url: WEBHOOKS is off: this server sends nothing. A pull hook needs no setting.'

/** A secret that is sealed, and is shown where it was made here. */
interface Sealed {
  readonly sealedSecret: string
  readonly shown: { readonly secret?: string }
}

/** Seals the secret that is given, or one that is made of 32 random bytes. */
export async function sealSecret(
  given: string | undefined,
  { random, webhookSecrets }: ApiRequest['dependencies'],
): Promise<Sealed> {
  const made = `${secretPrefix}${Buffer.from(random.token(), 'base64url').toString('base64')}`
  return { sealedSecret: await webhookSecrets.seal(given || made), shown: given ? {} : { secret: made } }
}
