import type { Parsed } from '../../../call/parsed.ts'
import { appTypes, secretDays } from '../../../oauth/apps/app.ts'
import { parseAppPrivileges, parseRedirectUris, parseReferrers } from '../../../oauth/apps/registration.ts'
import { optionalBoolean, optionalChoice, optionalInteger, type Parameter, requiredJson } from '../parameter-types.ts'

/** Parameters of apps, by the names of the public API; those of the switches are chosen. */

const appTypeMeaning =
  '`server` keeps a secret, `browser` and `native` cannot, and need a proof key; `multiple` has a secret and may use either.'

export const appType = optionalChoice(appTypeMeaning, appTypes)

/** An optional JSON value: an empty text or null, which clients send for an absent one, reads as undefined (observed). */
function optionalJson<Value>(meaning: string, from: (value: unknown) => Parsed<Value>): Parameter<Value | undefined> {
  const { read, ...described } = requiredJson(meaning, from)
  const isAbsent = (given: string | undefined) => given === undefined || ['', 'null'].includes(given.trim())
  return { ...described, isRequired: false, read: (given) => (isAbsent(given) ? undefined : read(given)) }
}

const redirectUrisMeaning =
  '["https://…"]: addresses that codes are sent to. https; http for 127.0.0.1, [::1] and localhost; a scheme of a native app with a dot in it; or urn:ietf:wg:oauth:2.0:oob for a code on a page. They are compared character by character, and their queries have no code, state, error, error_description, error_uri or iss.'

export const registrationParameters = {
  appType,
  redirect_uris: optionalJson(redirectUrisMeaning, parseRedirectUris),
  httpReferrers: optionalJson('["https://…"]: kept, and without effect.', parseReferrers),
  privileges: {
    ...optionalJson(
      '["portal:…"]: what the app may do as itself; by default it sees groups, items and users of the organization.',
      parseAppPrivileges,
    ),
  },
} as const

export const expiration = optionalInteger(
  `Days until the secret that is made ends; default ${secretDays.usual}. A value above ${secretDays.max} is reduced to it.`,
  { minimum: 1, cap: secretDays.max },
)

export const switchParameters = {
  allowsPlain: optionalBoolean('Whether a proof key may be sent without a digest (chosen).'),
  cannotProve: optionalBoolean('Whether it signs in without a proof key and without a secret (chosen).'),
  queryMayDiffer: optionalBoolean('Whether the query of an https address may differ from the registered one (chosen).'),
  rotatesAlways: optionalBoolean('Whether every refresh gives another refresh token (chosen).'),
  asksNothing: optionalBoolean(
    'Whether users who are signed in go on without being asked; for administrators (chosen).',
  ),
  disabled: optionalBoolean(
    'Whether it is switched off, which ends all that it was issued; for administrators (chosen).',
  ),
}
