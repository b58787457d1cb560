import type { Privilege } from '../../../../src/call/privilege.ts'
import { privilegesIn } from './areas.ts'
import { t } from './texts.ts'

/** What a privilege does, in the language of the person; those without effect have their name alone. */
export function describePrivilege(privilege: Privilege): string {
  return privilegesIn('none').includes(privilege) ? '' : t(privilege as Parameters<typeof t>[0])
}
