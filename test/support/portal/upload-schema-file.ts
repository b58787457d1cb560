import type { TestPortal } from './portal.ts'
import type { SchemaHolder } from './schema-holder.ts'

type Texts = Readonly<Record<string, string>>

/** Sends the bytes as a file of categories, with parameters beside it. */
export function uploadSchemaFile(
  portal: TestPortal,
  { client, path }: Pick<SchemaHolder, 'client' | 'path'>,
  bytes: string | Uint8Array,
  parameters: Texts = {},
  headers: Texts = {},
) {
  return uploadFile(portal, client, `${path}/categorySchema/import`, bytes, parameters, headers)
}

/** Sends the bytes as a file to any address. */
export async function uploadFile(
  portal: TestPortal,
  client: Pick<SchemaHolder['client'], 'token'>,
  url: string,
  bytes: string | Uint8Array,
  parameters: Texts = {},
  headers: Texts = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(parameters)) form.append(name, value)
  form.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), 'categories.csv')
  const encoded = new Response(form)
  const response = await portal.inject({
    method: 'POST',
    url,
    headers: {
      ...headers,
      'content-type': encoded.headers.get('content-type')!,
      'x-esri-authorization': `Bearer ${client.token}`,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return response.json()
}
