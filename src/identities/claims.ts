import { findUsernameProblem, profileLimits } from '../directory/user.ts'
import type { ProvenIdentity } from './provider.ts'
import type { AccountRules, RoleMap } from './rules.ts'

/** Maximum number of characters of a subject (OpenID Connect Core §2), and of any other claim that is kept. */
const maxSubjectLength = 255

/** Identity as the rules judge it. */
export interface JudgedIdentity {
  readonly issuer: string
  readonly subject: string
  /** Display name of the user at the provider. */
  readonly display: string
  /** Value of the claim that administrators enter beforehand; undefined without one. */
  readonly linkValue: string | undefined
  /** Lower case; undefined unless it is verified, and of a domain that links. */
  readonly verifiedEmail: string | undefined
  /** Name of a new user, or what is wrong with it. */
  readonly username: { readonly value: string } | { readonly problem: string }
  readonly profile: {
    readonly fullName: string
    readonly firstName: string
    readonly lastName: string
    readonly email: string
  }
  readonly role: MappedRole
}

/** `unmapped`: no map is set. `refused`: none of its values is there. */
export type MappedRole =
  | { readonly kind: 'mapped'; readonly role: string }
  | { readonly kind: 'unmapped' }
  | { readonly kind: 'refused'; readonly problem: string }

/** The identity by the rules; or why it does not sign in, in a sentence for the operator. */
export function judgeIdentity(
  { issuer, subject, claims }: Pick<ProvenIdentity, 'issuer' | 'subject' | 'claims'>,
  rules: AccountRules,
): JudgedIdentity | { readonly refused: string } {
  if (subject === '' || subject.length > maxSubjectLength) return { refused: `sub has ${subject.length} characters` }
  const { gate, roles } = rules
  for (const pointer of [gate?.pointer, roles?.pointer]) {
    const withheld = pointer && findWithheld(claims, pointer[0]!)
    if (withheld) return { refused: withheld }
  }
  if (gate && !valuesAt(claims, gate.pointer).has(gate.value)) {
    return { refused: `the claim at /${gate.pointer.join('/')} does not have the value that is required` }
  }
  const username = textOf(own(claims, rules.usernameClaim))
  return {
    issuer,
    subject,
    display: (username || subject).slice(0, maxSubjectLength),
    linkValue: rules.linkClaim === 'sub' ? subject : textOf(own(claims, rules.linkClaim)) || undefined,
    verifiedEmail: findVerifiedEmail(claims, rules.emailDomains),
    username: judgeUsername(username, rules.usernameClaim),
    profile: {
      fullName: nameOf(claims['name']),
      firstName: nameOf(claims['given_name']),
      lastName: nameOf(claims['family_name']),
      email: nameOf(claims['email']),
    },
    role: mapRole(claims, roles),
  }
}

/** A provider with too many groups for a token names a place to ask for them, which is not done (chosen). */
function findWithheld(claims: ProvenIdentity['claims'], name: string): string | undefined {
  const elsewhere = own(claims, '_claim_names')
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name)
  if (!isElsewhere && !(name === 'groups' && own(claims, 'hasgroups') === true)) return undefined
  return `the claim ${name} has too many entries to be sent by the provider: use app roles, or fewer groups`
}

function mapRole(claims: ProvenIdentity['claims'], roles: RoleMap | undefined): MappedRole {
  if (!roles) return { kind: 'unmapped' }
  const values = valuesAt(claims, roles.pointer)
  const role = roles.entries.find(([value]) => values.has(value))?.[1] ?? roles.unmatched
  if (role !== undefined) return { kind: 'mapped', role }
  return { kind: 'refused', problem: `the claim at /${roles.pointer.join('/')} has no value that gives a role` }
}

/** The text, or the texts of the list, at the place; nothing else counts. Only members of the claims themselves are found. */
export function valuesAt(claims: ProvenIdentity['claims'], pointer: readonly string[]): ReadonlySet<string> {
  let value: unknown = claims
  for (const name of pointer) value = own(value, name)
  const values = Array.isArray(value) ? value : [value]
  return new Set(values.filter((one) => typeof one === 'string'))
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

function judgeUsername(given: string, claim: string): JudgedIdentity['username'] {
  if (given === '') return { problem: `the claim ${claim} is missing, or no text` }
  const problem = findUsernameProblem(given)
  return problem === undefined ? { value: given } : { problem: `the claim ${claim}: ${problem}` }
}

function findVerifiedEmail(claims: ProvenIdentity['claims'], domains: readonly string[]): string | undefined {
  const email = textOf(own(claims, 'email'))
  // Before it is in lower case, where letters of other scripts become those of ASCII.
  const domain = /^[\x21-\x3f\x41-\x7e]+@([A-Za-z0-9.-]+)$/.exec(email)?.[1]?.toLowerCase()
  const isVerified = own(claims, 'email_verified') === true
  return isVerified && domain !== undefined && domains.includes(domain) ? email.toLowerCase() : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' && value.isWellFormed() && !/\p{Cc}/u.test(value) ? value.trim() : ''
}

/** A text of a profile, as long as may be. */
function nameOf(value: unknown): string {
  const text = textOf(value)
  return text.length > profileLimits.name ? '' : text
}
