/** Characters of a name, and of a host, that become part of the name of a file. */
const maxNamePart = 30
const maxHostPart = 80

/** Name under which an invitation is saved: `Alpine-maps-for-maps.example.org.invite`. */
export function nameInvitation(collaborationName: string, guestPortalUrl: string): string {
  const name = [...collaborationName.normalize().replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')].slice(0, maxNamePart).join('')
  const host = new URL(guestPortalUrl).host.replace(/[^\w.-]+/g, '-').slice(0, maxHostPart)
  return `${name.replace(/^-+|-+$/g, '') || 'collaboration'}-for-${host}.invite`
}
