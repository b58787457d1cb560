import { parseCategoryPolicy } from '../../directory/category-policy.ts'
import { categoryApprovals, portalAccesses, portalNameLength } from '../../directory/portal.ts'
import { profileLimits } from '../../directory/user.ts'
import { exampleIds, portalAnswer } from '../examples/examples.ts'
import { publicKeyAnswer } from '../examples/handshake.ts'
import {
  fingerprintHexShape,
  fingerprintShape,
  fingerprintToHex,
  publicKeyShape,
  type WirePublicKey,
} from '../shapes/collaborations/handshake.ts'
import { currentVersion, portalShape, portalToWire, rootShape } from '../shapes/directory/portal.ts'
import { constant, object, shortId, text } from '../shapes/shape.ts'
import { success } from '../shapes/success.ts'
import { type ApiRequest, type Endpoint, endpointsOf } from './endpoint.ts'
import { optionalChoice, optionalJson, optionalName, optionalText } from './parameter-types.ts'
import { changeOf, clearEmptyFields } from './partial-update.ts'
import { countOmission } from './people/users.ts'
import { notKept, sentByClients, withoutEffect } from './unused-parameters.ts'

const endpoint = endpointsOf('directory')

const { portalId } = exampleIds

type AsksPortal = ApiRequest<'readPortal', Endpoint['parameters'], '/portals/:portalId'>

async function answerPortal(request: Pick<AsksPortal, 'settings' | 'ids' | 'run' | 'dependencies' | 'publicUrl'>) {
  const provider = request.settings.identityProvider
  const asksOldest = provider !== undefined && provider.rules.organization === undefined
  const portal = portalToWire(await request.run({ portalId: request.ids.portalId, asksOldest }), request)
  countOmission(portal.user, request.dependencies)
  return portal
}

/** The server itself and its organizations. */
export const portalRows: readonly Endpoint[] = [
  endpoint({
    id: 'readRoot',
    title: 'Root',
    path: '/',
    token: 'none',
    who: 'Anyone',
    summary: 'The version of the API.',
    source: 'observed',
    answers: { json: rootShape },
    example: { answer: { currentVersion } },
    answer: async () => ({ json: { currentVersion } }),
  }),
  endpoint({
    id: 'readPortal',
    title: 'Organization',
    task: 'read organization',
    path: '/portals/:portalId',
    can: { id: 'portalId' },
    parameters: sentByClients('culture'),
    token: 'optional',
    who: 'Members; anyone for the public view of self',
    summary:
      'The organization; `self` is that of the caller. With a token of the organization, the answer includes the caller; with an app’s own token, `appInfo`.',
    chosen: ['For an anonymous caller, self is the organization that was created first.'],
    answers: { json: portalShape },
    example: { ids: { portalId }, answer: portalAnswer },
    answer: async (request) => ({ json: await answerPortal(request) }),
  }),
  endpoint({
    id: 'readAccount',
    title: 'Account',
    task: 'read organization',
    path: '/accounts/:portalId',
    parameters: sentByClients('culture'),
    token: 'optional',
    who: 'Members; anyone for the public view of self',
    summary: 'The organization, by the earlier name of its address.',
    source: 'observed',
    chosen: ['As /portals/<id>.'],
    answers: { json: portalShape },
    example: { ids: { portalId }, answer: portalAnswer },
    answer: async (request) => ({ json: await answerPortal(request) }),
  }),
  endpoint({
    id: 'readSubscription',
    title: 'Subscription',
    path: '/portals/:portalId/subscriptionInfo',
    token: 'optional',
    who: 'Members; anyone for the public view of self',
    summary: 'The state of the organization, which is always active: nothing is sold here.',
    chosen: ['For whom /portals/<id> answers. No type, end or number of users: there is none.'],
    answers: { json: object({ id: shortId(), name: text(), state: constant('active') }) },
    example: { ids: { portalId }, answer: { id: portalId, name: portalAnswer.name, state: 'active' } },
    async answer(request) {
      const { id, name } = await answerPortal(request)
      return { json: { id, name, state: 'active' as const } }
    },
  }),
  endpoint({
    id: 'readPublicKey',
    title: 'Public key',
    path: '/portals/:portalId/publicKey',
    token: 'optional',
    who: 'Members; anyone if the organization is public',
    summary:
      'The public key that verifies invitations and responses, and its fingerprint, which the other side compares.',
    source: 'chosen',
    chosen: ['The fingerprint is the JWK thumbprint of RFC 7638 with SHA-256.'],
    answers: {
      json: object({ publicKey: publicKeyShape, fingerprint: fingerprintShape, fingerprintHex: fingerprintHexShape }),
    },
    example: { ids: { portalId }, answer: publicKeyAnswer },
    async answer({ ids, dependencies, run }) {
      const publicKey: WirePublicKey = JSON.parse(await run(ids))
      const fingerprint = await dependencies.signer.fingerprint(publicKey)
      return { json: { publicKey, fingerprint, fingerprintHex: fingerprintToHex(fingerprint) } }
    },
  }),
  endpoint({
    id: 'updatePortal',
    title: 'Update organization',
    task: 'update organization',
    path: '/portals/:portalId/update',
    parameters: {
      name: optionalName('Name.', { maxLength: portalNameLength }),
      description: optionalText('Description.', { maxLength: 10_000 }),
      access: optionalChoice(
        'public: the organization and its category schema can be read without a token.',
        portalAccesses,
      ),
      culture: optionalText('Language, such as en or pt-BR.', { maxLength: profileLimits.code }),
      categoryPolicy: {
        ...optionalJson(
          'JSON object {"require":"off|report|enforce","below":["/Themes"],"types":["Web Map"],"when":"public|org|any"}: which items need a category. Absent members have their defaults: off, any category, all types, public.',
          parseCategoryPolicy,
        ),
        extension: 'categoryPolicy',
      },
      categoryApproval: {
        ...optionalChoice(
          'Whether a second person publishes changes of category schemas: none (default), those of the organization, or all, those of its groups too.',
          categoryApprovals,
        ),
        extension: 'schemaDrafts',
      },
      ...withoutEffect(
        'summary',
        'region',
        'units',
        'defaultBasemap',
        'basemapGalleryGroupQuery',
        'defaultExtent',
        'featuredGroups',
        'featuredGroupsId',
        'featuredItemsGroupQuery',
        'homePageFeaturedContent',
        'homePageFeaturedContentCount',
        'rotatorPanels',
        'colorSetsGroupQuery',
        'stylesGroupQuery',
        'symbolSetsGroupQuery',
        'templatesGroupQuery',
        'layerTemplatesGroupQuery',
        'portalProperties',
        'showHomePageDescription',
      ),
      ...notKept({
        thumbnail: 'no pictures are kept here.',
        urlKey: 'the short name of an organization stays.',
        allSSL: 'PUBLIC_URL says whether this server is reached over HTTPS.',
        allowedOrigins: 'the operator sets ALLOWED_ORIGINS.',
        authorizedCrossOriginDomains: 'the operator sets ALLOWED_ORIGINS.',
        canSearchPublic: 'what is public can always be found.',
        canSharePublic: 'the privileges of roles say who may share with everyone.',
        mfaEnabled: 'there is no second factor for signing in.',
        helperServices: 'there are none.',
      }),
      clearEmptyFields,
    },
    who: 'Administrators, and custom roles with portal:admin:manageWebsite',
    summary: 'Changes the given properties; the others are unchanged.',
    example: { ids: { portalId }, parameters: { name: 'Ministry of Maps and Seas' }, answer: { success: true } },
    async answer({ ids, input, run }) {
      await run({ portalId: ids.portalId, change: changeOf(input, 'name') })
      return success
    },
  }),
]
