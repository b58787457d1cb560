import { categoryApprovals, portalAccesses } from '../../../directory/portal.ts'
import type { PortalView } from '../../../directory/portal-operations.ts'
import { categoryPolicyShape } from '../category-policy.ts'
import { canMember } from '../page.ts'
import {
  boolean,
  choice,
  component,
  constant,
  emptyObject,
  integer,
  list,
  nullable,
  object,
  shortId,
  text,
  time,
  type ValueOf,
} from '../shape.ts'
import { userViewShape, userViewToWire } from './user.ts'

/** Release of the public API that clients may take this server for. */
export const currentVersion = '2025.1'

export const rootShape = object({ currentVersion: text('Release of the public API that this server follows.') })

export const infoShape = object({
  owningSystemUrl: text('Public root of this server.'),
  authInfo: object({ tokenServicesUrl: text('Where tokens are generated.'), isTokenBasedSecurity: constant(true) }),
  cartulary: object({
    version: text('Version of the program.'),
    extensions: list(text(), 'Additions of this server to the public API, by which tools recognize it.'),
  }),
})
export type WireInfo = ValueOf<typeof infoShape>

export function infoToWire(publicUrl: string, version: string, extensions: readonly string[]): WireInfo {
  return {
    owningSystemUrl: publicUrl,
    authInfo: { tokenServicesUrl: `${publicUrl}/sharing/rest/generateToken`, isTokenBasedSecurity: true },
    cartulary: { version, extensions },
  }
}

export const portalShape = component(
  'Portal',
  'An organization.',
  object(
    {
      id: shortId(),
      name: text(),
      description: text(),
      portalName: text('The same as `name`.'),
      portalHostname: text('Host and context path of this server.'),
      isPortal: constant(true),
      portalMode: constant('singletenant'),
      currentVersion: text('Release of the public API that this server follows.'),
      access: choice(portalAccesses, '`public`: the category schema can be read without a token.'),
      allSSL: boolean('Whether this server is reached over HTTPS.'),
      supportsOAuth: boolean('Whether apps sign users in by OAuth 2.0: true over HTTPS, which clients insist on.'),
      canSignInArcGIS: boolean('Whether users sign in with a username and a password of this server.'),
      canSignInIDP: boolean('Whether users sign in through an identity provider.'),
      hasCategorySchema: boolean('Whether a category schema is set.'),
      helperServices: emptyObject(),
      authorizedCrossOriginDomains: list(text(), 'Not supported; always empty.'),
      allowedOrigins: list(text(), 'Origins that browsers may call from; empty if all may.'),
      maxTokenExpirationMinutes: integer('Maximum lifetime of a token.', 1),
      urlKey: text('Short name of the organization.'),
      created: time('When the organization was created.'),
      modified: time('When the organization was last changed.'),
    },
    {
      ...canMember,
      user: userViewShape,
      culture: text('Language of the organization, where one is set.'),
      categoryPolicy: categoryPolicyShape,
      categoryApproval: choice(
        categoryApprovals,
        'Category schemas whose changes a second person publishes, for members: none, that of the organization, or all.',
      ),
      sendsMail: boolean('True where the server sends mail, for members; else absent.'),
      appInfo: object({
        appId: text('Client id.'),
        itemId: nullable(text('Of the item that it is registered for.')),
        appOwner: nullable(text('Username of the owner of the item.')),
        orgId: shortId(),
        appTitle: text(),
        privileges: list(text(), 'What the app may do as itself.'),
      }),
    },
  ),
)
export type WirePortal = ValueOf<typeof portalShape>

/** Facts about the server, the same for every organization. */
interface ServerFacts {
  readonly publicUrl: string
  readonly settings: {
    readonly maxTokenExpirationMinutes: number
    readonly allowedOrigins: readonly string[] | undefined
    readonly mail: object | undefined
    readonly identityProvider: { readonly rules: { readonly organization: string | undefined } } | undefined
  }
}

export function portalToWire(
  { portal, member, app, isOldest }: PortalView,
  { settings, publicUrl }: ServerFacts,
): WirePortal {
  const provider = settings.identityProvider
  // Outsiders see the name of a private organization when they sign in, and nothing that it says of itself.
  const isShown = member || app || portal.access === 'public'
  return {
    id: portal.portalId,
    name: portal.name,
    description: isShown ? portal.description : '',
    portalName: portal.name,
    portalHostname: publicUrl.replace(/^https?:\/\//, ''),
    isPortal: true,
    portalMode: 'singletenant',
    currentVersion,
    access: portal.access,
    allSSL: publicUrl.startsWith('https:'),
    supportsOAuth: publicUrl.startsWith('https:'),
    canSignInArcGIS: true,
    canSignInIDP: provider !== undefined && (isOldest ?? provider.rules.organization === portal.portalId),
    hasCategorySchema: portal.hasCategorySchema,
    helperServices: {},
    authorizedCrossOriginDomains: [],
    allowedOrigins: settings.allowedOrigins ?? [],
    maxTokenExpirationMinutes: settings.maxTokenExpirationMinutes,
    urlKey: portal.urlKey,
    created: portal.createdAt,
    modified: portal.modifiedAt,
    ...(isShown && portal.culture !== '' ? { culture: portal.culture } : {}),
    ...(member
      ? {
          user: userViewToWire(member),
          categoryPolicy: portal.categoryPolicy,
          categoryApproval: portal.categoryApproval,
        }
      : {}),
    ...(member && settings.mail ? { sendsMail: true as const } : {}),
    ...(app && {
      appInfo: {
        appId: app.clientId,
        itemId: app.itemId ?? null,
        appOwner: app.owner?.username ?? null,
        orgId: portal.portalId,
        appTitle: app.title,
        privileges: app.privileges,
      },
    }),
  }
}
