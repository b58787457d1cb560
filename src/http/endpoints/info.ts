import { version } from '../../version.ts'
import { exampleRoot } from '../examples/examples.ts'
import { infoShape, infoToWire } from '../shapes/directory/portal.ts'
import { type Endpoint, endpointsOf } from './endpoint.ts'

const endpoint = endpointsOf('directory')

/** The row of /info, which lists the extensions of all other rows. */
export function infoRow(others: readonly Endpoint[]): Endpoint {
  const extensions = extensionsOf(others)
  return endpoint({
    id: 'readInfo',
    title: 'Server info',
    task: 'read server info',
    path: '/info',
    token: 'none',
    who: 'Anyone',
    summary: 'The address for signing in, and what this server adds to the public API.',
    source: 'observed',
    chosen: ['cartulary has the version of the program and the names of its extensions.'],
    answers: { json: infoShape },
    example: {
      answer: {
        owningSystemUrl: exampleRoot,
        authInfo: { tokenServicesUrl: `${exampleRoot}/sharing/rest/generateToken`, isTokenBasedSecurity: true },
        cartulary: { version, extensions },
      },
    },
    answer: async ({ publicUrl }) => ({ json: infoToWire(publicUrl, version, extensions) }),
  })
}

/** Names of what rows and their parameters add to the public API, each once. */
function extensionsOf(rows: readonly Endpoint[]): readonly string[] {
  const named = rows.flatMap(({ extension, parameters }) => [
    extension,
    ...Object.values(parameters).map((parameter) => parameter.extension),
  ])
  return [...new Set(named.filter((name) => name !== undefined))]
}
