import { formatResponseName } from '../../../../src/collaborations/response.ts'

/** File name that the server gives to the response of a guest, from the guest's public root. */
export function nameResponse(guestPortalUrl: string | undefined): string {
  return guestPortalUrl && URL.canParse(guestPortalUrl) ? formatResponseName(guestPortalUrl) : 'collaboration.response'
}
