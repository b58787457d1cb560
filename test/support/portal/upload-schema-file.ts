import type { TestPortal } from './portal.ts'
import type { SchemaHolder } from './schema-holder.ts'

/** Sends the bytes as a file, with parameters beside it. */
export async function uploadSchemaFile(
  portal: TestPortal,
  { client, path }: Pick<SchemaHolder, 'client' | 'path'>,
  bytes: string | Buffer<ArrayBuffer>,
  parameters: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(parameters)) form.append(name, value)
  form.append('file', new Blob([bytes]), 'categories.csv')
  const encoded = new Response(form)
  const response = await portal.inject({
    method: 'POST',
    url: `${path}/categorySchema/import`,
    headers: {
      ...headers,
      'content-type': encoded.headers.get('content-type')!,
      'x-esri-authorization': `Bearer ${client.token}`,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return response.json()
}
