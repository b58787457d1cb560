export const newPasswordPath = '/oauth2/newPassword'

export const lostPasswordPath = '/oauth2/lostPassword'

/** Where users have a link to a new password sent to them. */
export function lostPasswordAddress(publicUrl: string): string {
  return `${publicUrl}/sharing/rest${lostPasswordPath}`
}

/** Where users choose a new password, as they open it. */
export function newPasswordAddress(publicUrl: string, link?: string): string {
  const address = `${publicUrl}/sharing/rest${newPasswordPath}`
  return link === undefined ? address : `${address}?link=${link}`
}
