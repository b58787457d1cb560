export const newPasswordPath = '/oauth2/newPassword'

/** Where users choose a new password, as they open it. */
export function newPasswordAddress(publicUrl: string, link?: string): string {
  const address = `${publicUrl}/sharing/rest${newPasswordPath}`
  return link === undefined ? address : `${address}?link=${link}`
}
