import type { Privilege } from '../../../../src/call/privilege.ts'
import { ofPeoplePrivileges as t } from '../../texts/rooms.ts'
import { privilegesIn } from './areas.ts'

/** Description of a privilege, in the language of the person; one without effect has only its name. */
export function describePrivilege(privilege: Privilege): string {
  return privilegesIn('none').includes(privilege) ? '' : t(privilege as Parameters<typeof t>[0])
}
