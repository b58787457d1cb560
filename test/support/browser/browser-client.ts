import type { request } from '@esri/arcgis-rest-request'

const build = '../../../node_modules/@esri/arcgis-rest-request/dist/bundled/request.esm.js'
const client: { readonly request: typeof request } = await import(
  /* @vite-ignore */ new URL(build, import.meta.url).href
)

/** The real client as browsers load it; the one for Node sends multipart bodies that Node's fetch turns into text. */
export const requestAsBrowser = client.request
