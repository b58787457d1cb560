import { type Endpoint, kindOf } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import type { ExampleWorld } from './example-world.ts'
import type { Body, Client } from './portal.ts'

/** Answer of the operation in the documented example, which is executed. */
export const exampleOf = (id: string): Body => endpointTable.find((row) => row.id === id)!.example.answer as Body

/** The path with the ids of the example. */
export function pathOf({ path, example }: Endpoint): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => example.ids?.[name] ?? `no-${name}`)
}

/** Client of the caller in the example. */
export function clientOf({ token, example }: Endpoint, world: ExampleWorld): Client {
  if (token === 'none') return world.portal.anonymous
  return example.caller === undefined ? world.admin : world[example.caller]
}

/** The call of the example; resolves with the response of the server. */
export function callExample(row: Endpoint, world: ExampleWorld): Promise<Body> {
  const client = clientOf(row, world)
  const { parameters, fileName } = row.example
  if (fileName !== undefined) return upload(row, client, fileName)
  return kindOf(row) === 'resource' ? client.get(pathOf(row), parameters) : client.post(pathOf(row), parameters)
}

/** The call as a multipart body, with the file as a part that has a name. */
async function upload(row: Endpoint, { portal, token }: Client, fileName: string): Promise<Body> {
  const form = new FormData()
  for (const [name, text = ''] of Object.entries(row.example.parameters ?? {})) {
    if (row.parameters[name]?.type === 'file') form.append(name, new Blob([text]), fileName)
    else form.append(name, text)
  }
  const encoded = new Response(form)
  const response = await portal.inject({
    method: 'POST',
    url: pathOf(row),
    headers: {
      'content-type': encoded.headers.get('content-type')!,
      'x-esri-authorization': `Bearer ${token}`,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return response.json()
}
