import { formatResponseName } from '../../../../src/collaborations/response.ts'

/** How the server names the response file of a guest, by the public root of the guest. */
export function nameResponse(guestPortalUrl: string | undefined): string {
  return guestPortalUrl && URL.canParse(guestPortalUrl) ? formatResponseName(guestPortalUrl) : 'collaboration.response'
}
