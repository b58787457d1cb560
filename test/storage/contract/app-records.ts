import type { App } from '../../../src/oauth/apps/app.ts'
import type { AppToken } from '../../../src/oauth/apps/app-registry.ts'
import { anId, anItem, aPortal, builder, noon } from './records.ts'

/** An app that is registered for the item of Anna. */
export const anApp = builder<App>({
  clientId: 'AppOfTheCoast001',
  portalId: aPortal().portalId,
  itemId: anItem().itemId,
  owner: { userId: anId(1), username: 'anna' },
  title: anItem().title,
  appType: 'multiple',
  redirectUris: ['https://coast.example.com/'],
  httpReferrers: ['https://coast.example.com'],
  privileges: ['portal:user:viewOrgItems'],
  secretHash: '2'.repeat(64),
  formerSecretHash: '3'.repeat(64),
  secretMadeAt: noon,
  secretExpiresAt: noon + 86_400_000,
  formerSecretExpiresAt: noon + 3_600_000,
  reminders: 1,
  allowsPlain: true,
  cannotProve: false,
  queryMayDiffer: true,
  rotatesAlways: false,
  asksNothing: true,
  isDisabled: false,
  isConfirmed: false,
  createdAt: noon,
  modifiedAt: noon + 1,
})

export const anAppToken = builder<AppToken>({
  tokenHash: '4'.repeat(64),
  clientId: anApp().clientId,
  createdAt: noon,
  expiresAt: noon + 60_000,
})
