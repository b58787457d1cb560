import { exampleIds, singlePage } from '../../docs/examples.ts'
import { languagesAnswer, languagesShape, regionsAnswer, regionsShape } from '../../shapes/directory/locale.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { emptyObject } from '../../shapes/shape.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { pageParameters } from '../parameter-types.ts'

const { portalId } = exampleIds

/** What clients of the public portal read of an organization, beside its people. */
export const portalResourceRows: readonly Endpoint[] = [
  endpoint({
    id: 'readLanguages',
    room: 'directory',
    title: 'Languages',
    task: 'list languages',
    effect: 'none',
    path: '/portals/languages',
    parameters: {},
    token: 'none',
    who: 'Anyone',
    summary: 'Languages that users can choose as their culture.',
    source: 'documented',
    answers: { json: languagesShape },
    example: { answer: languagesAnswer },
    answer: async () => ({ json: languagesAnswer }),
  }),
  endpoint({
    id: 'readRegions',
    room: 'directory',
    title: 'Regions',
    task: 'list regions',
    effect: 'none',
    path: '/portals/regions',
    parameters: {},
    token: 'none',
    who: 'Anyone',
    summary: 'Countries that users can choose as their region.',
    source: 'documented',
    answers: { json: regionsShape },
    example: { answer: regionsAnswer },
    answer: async () => ({ json: regionsAnswer }),
  }),
  endpoint({
    id: 'listPurchases',
    room: 'directory',
    title: 'Purchases',
    task: 'list purchases',
    effect: 'none',
    path: '/portals/:portalId/purchases',
    parameters: pageParameters,
    token: 'required',
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
    room: 'directory',
    title: 'App bundles',
    task: 'list app bundles',
    effect: 'none',
    path: '/portals/:portalId/appBundles',
    parameters: pageParameters,
    token: 'required',
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
]
