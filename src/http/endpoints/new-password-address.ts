export const newPasswordPath = '/oauth2/newPassword'

export const lostPasswordPath = '/oauth2/lostPassword'

/** Address of the page where users request a link to choose a new password. */
export function lostPasswordAddress(publicUrl: string): string {
  return `${publicUrl}/sharing/rest${lostPasswordPath}`
}

/** Address of the page where users choose a new password. */
export function newPasswordAddress(publicUrl: string, link?: string): string {
  const address = `${publicUrl}/sharing/rest${newPasswordPath}`
  return link === undefined ? address : `${address}?link=${link}`
}
