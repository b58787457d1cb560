/** Who may call what of a collaboration, in the words of the table. */

const withPrivilege = 'and custom roles with portal:admin:manageCollaborations'

export const hostAdministrators = `Administrators of the host, ${withPrivilege}`
export const guestAdministrators = `Administrators of the guest, ${withPrivilege}`
export const eitherAdministrators = `Administrators of the host or of the guest, ${withPrivilege}`
