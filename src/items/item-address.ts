/** Schemes with which an item's address is kept (chosen): pages of others may make a link of it, and a browser executes others. */
const schemes = ['http', 'https', 'mailto']

/** Problem of an item's address; undefined without one. Clients write relative addresses and placeholders (observed). */
export function findAddressProblem(address: string): string | undefined {
  // A browser passes over the characters in front, and over line breaks and tabs anywhere.
  const [, scheme] = /^[\s\p{Cc}]*([a-z][a-z0-9+.-]*):/iu.exec(address.replace(/[\t\n\r]/g, '')) ?? []
  if (scheme === undefined || schemes.includes(scheme.toLowerCase())) return undefined
  return `has the scheme ${scheme.toLowerCase()}; an address is relative, or has one of http, https and mailto.`
}
