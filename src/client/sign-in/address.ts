import { untried } from '../failure.ts'

/** Address of a portal without what stands behind it for the API or its pages; `https://host/portal` for a web adaptor. */
export function parseAddress(text: string): string {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    // Text before an @ may be a password.
    throw untried(`${text.replace(/\/\/.*@/, '//…@')} is not the address of a portal: https://… is needed.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw untried(`The address of ${url.host} has a name or password in it: cartulary login asks for them.`)
  }
  // An address of the API or of a page is one of the portal.
  const path = url.pathname.replace(/\/(?:sharing|home|apps)(?:\/.*)?$/, '').replace(/\/+$/, '')
  return url.origin + path
}
