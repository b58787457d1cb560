import { builtInApps, secretDays, withAddresses } from '../../oauth/apps/app.ts'
import { appToWire, type WireApp } from '../shapes/oauth/app.ts'
import { exampleIds, exampleRoot, exampleTime } from './examples.ts'
import { rivers } from './items.ts'

/** The apps of the documented examples. */

/** Parameters of the registration in the examples. */
export const registration = {
  itemId: exampleIds.secondItemId,
  appType: 'multiple',
  redirect_uris: '["https://rivers.example.org/signed-in"]',
  privileges: '["portal:user:viewOrgItems"]',
} as const

export const exampleAppAnswer: WireApp = {
  client_id: exampleIds.clientId,
  itemId: registration.itemId,
  title: rivers.title,
  owner: 'admin',
  appType: registration.appType,
  redirect_uris: JSON.parse(registration.redirect_uris),
  httpReferrers: [],
  privileges: JSON.parse(registration.privileges),
  builtIn: false,
  disabled: false,
  allowsPlain: false,
  cannotProve: false,
  queryMayDiffer: false,
  rotatesAlways: false,
  asksNothing: false,
  confirmed: false,
  hasSecret: true,
  hasFormerSecret: false,
  secretExpires: exampleTime + secretDays.usual * 86_400_000,
  formerSecretExpires: null,
  isPersonalAPIToken: false,
  apiToken1Active: false,
  apiToken2Active: false,
  registered: exampleTime,
  modified: exampleTime,
}

export const builtInAnswers: readonly WireApp[] = builtInApps.map((app) => appToWire(withAddresses(app, exampleRoot)))
