import { type App, appTypes, isBuiltIn } from '../../../oauth/apps/app.ts'
import type { UsedApp } from '../../../oauth/apps/app-operations.ts'
import { boolean, choice, component, constant, id, list, nullable, object, text, time, type ValueOf } from '../shape.ts'

export const appShape = component(
  'App',
  'An app that users sign in to, or that signs in as itself.',
  object(
    {
      client_id: text(),
      itemId: nullable(id('Of the item that it is registered for; null for an app without one.')),
      title: text('Of the item, where there is one.'),
      owner: nullable(text('Username of the owner of the item.')),
      appType: choice(
        appTypes,
        '`server` keeps a secret, `browser` and `native` cannot, `multiple` may be any of them.',
      ),
      redirect_uris: list(text(), 'Addresses that codes are sent to.'),
      httpReferrers: list(text(), 'Kept, and without effect.'),
      privileges: list(text(), 'What the app may do as itself.'),
      builtIn: boolean('Whether it comes with this server, for every organization.'),
      disabled: boolean('Whether it is switched off: no user signs in to it.'),
      allowsPlain: boolean('Whether a proof key may be sent without a digest.'),
      cannotProve: boolean('Whether it signs in without a proof key and without a secret.'),
      queryMayDiffer: boolean('Whether the query of an https address may differ from the registered one.'),
      rotatesAlways: boolean('Whether every refresh gives another refresh token.'),
      asksNothing: boolean('Whether users who are signed in go on without being asked.'),
      confirmed: boolean(
        'Whether an administrator has confirmed it, or it has no owner; otherwise it may do no more than its owner may.',
      ),
      hasSecret: boolean(),
      hasFormerSecret: boolean('Whether a renewal is not completed: two secrets are valid.'),
      secretExpires: nullable(
        time('When the secret ends; null without one, and for one from before secrets had an end.'),
      ),
      formerSecretExpires: nullable(time('The same of the secret before.')),
      isPersonalAPIToken: constant(false),
      apiToken1Active: constant(false),
      apiToken2Active: constant(false),
      registered: time('When it was registered.'),
      modified: time('When it was last changed.'),
    },
    {
      client_secret: text('Shown where it is made, and never again.'),
      lastUses: list(
        object({ at: time('When.'), address: text('Network address.') }),
        'The last ten tokens of its own that the app got by its secret, the latest first; only where the app is read on its own.',
      ),
    },
  ),
)
export type WireApp = ValueOf<typeof appShape>

export function usesToWire(uses: UsedApp['lastUses']): readonly { readonly at: number; readonly address: string }[] {
  return uses.map(({ at, address }) => ({ at, address }))
}

/** `secret` is that which was just made. */
export function appToWire(app: App, secret?: string): WireApp {
  return {
    client_id: app.clientId,
    itemId: app.itemId ?? null,
    title: app.title,
    owner: app.owner?.username ?? null,
    appType: app.appType,
    redirect_uris: app.redirectUris,
    httpReferrers: app.httpReferrers,
    privileges: app.privileges,
    builtIn: isBuiltIn(app),
    disabled: app.isDisabled,
    allowsPlain: app.allowsPlain,
    cannotProve: app.cannotProve,
    queryMayDiffer: app.queryMayDiffer,
    rotatesAlways: app.rotatesAlways,
    asksNothing: app.asksNothing,
    confirmed: app.isConfirmed,
    hasSecret: app.secretHash !== undefined,
    hasFormerSecret: app.formerSecretHash !== undefined,
    secretExpires: app.secretExpiresAt ?? null,
    formerSecretExpires: app.formerSecretExpiresAt ?? null,
    isPersonalAPIToken: false,
    apiToken1Active: false,
    apiToken2Active: false,
    registered: app.createdAt,
    modified: app.modifiedAt,
    ...(secret !== undefined && { client_secret: secret }),
  }
}
