import { passwordLength } from '../../../directory/passwords/password.ts'
import { exampleIds, singlePage } from '../../examples/examples.ts'
import { languagesAnswer, languagesShape, regionsAnswer, regionsShape } from '../../shapes/directory/locale.ts'
import { securityPolicyShape, securityPolicyToWire } from '../../shapes/directory/security-policy.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { emptyObject, list, object } from '../../shapes/shape.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'

const endpoint = endpointsOf('directory')

const { portalId } = exampleIds

/** Resources of an organization, other than its users, that clients of the public portal read. */
export const portalResourceRows: readonly Endpoint[] = [
  endpoint({
    id: 'readLanguages',
    title: 'Languages',
    task: 'list languages',
    path: '/portals/languages',
    token: 'none',
    who: 'Anyone',
    summary: 'Languages that users can choose as their culture.',
    answers: { json: languagesShape },
    example: { answer: languagesAnswer },
    answer: async () => ({ json: languagesAnswer }),
  }),
  endpoint({
    id: 'readRegions',
    title: 'Regions',
    task: 'list regions',
    path: '/portals/regions',
    token: 'none',
    who: 'Anyone',
    summary: 'Countries that users can choose as their region.',
    answers: { json: regionsShape },
    example: { answer: regionsAnswer },
    answer: async () => ({ json: regionsAnswer }),
  }),
  endpoint({
    id: 'readSecurityPolicy',
    title: 'Security policy',
    task: 'read the security policy',
    path: '/portals/:portalId/securityPolicy',
    token: 'optional',
    who: 'Members; anyone if the organization is public',
    summary: 'The rules of passwords; null where there is no such rule.',
    source: 'observed',
    chosen: [
      'A password must not be a common one, nor little more than the username or the name of the organization; there are no rules of composition, and passwords do not age.',
      'The rules are the same for every organization, and are not updated.',
    ],
    answers: { json: securityPolicyShape },
    example: { ids: { portalId }, answer: securityPolicyToWire({ passwordLength }) },
    async answer({ ids, run }) {
      return { json: securityPolicyToWire(await run({ portalId: ids.portalId })) }
    },
  }),
  endpoint({
    id: 'listPurchases',
    title: 'Purchases',
    path: '/portals/:portalId/purchases',
    parameters: pageParameters,
    who: 'Members of the organization',
    summary: 'Always empty: nothing is sold here.',
    source: 'observed',
    answers: { json: pageOf('purchases', emptyObject()) },
    example: { ids: { portalId }, answer: singlePage('purchases', []) },
    async answer({ ids, input, run }) {
      const nothing = await run({ portalId: ids.portalId, page: input })
      return { json: pageToWire('purchases', nothing, (entry) => entry) }
    },
  }),
  endpoint({
    id: 'listAppBundles',
    title: 'App bundles',
    path: '/portals/:portalId/appBundles',
    parameters: pageParameters,
    who: 'Members of the organization',
    summary: 'Always empty: there are no bundles of applications here.',
    source: 'observed',
    answers: { json: pageOf('appBundles', emptyObject()) },
    example: { ids: { portalId }, answer: singlePage('appBundles', []) },
    async answer({ ids, input, run }) {
      const nothing = await run({ portalId: ids.portalId, page: input })
      return { json: pageToWire('appBundles', nothing, (entry) => entry) }
    },
  }),
  endpoint({
    id: 'listServers',
    title: 'Servers',
    path: '/portals/:portalId/servers',
    who: 'Members of the organization',
    summary: 'Always empty: no servers are federated with an organization here.',
    answers: { json: object({ servers: list(emptyObject()) }) },
    example: { ids: { portalId }, answer: { servers: [] } },
    async answer({ ids, run }) {
      await run(ids)
      return { json: { servers: [] } }
    },
  }),
]
