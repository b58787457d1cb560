import { mayUse } from '../session/session.ts'

/** Whether the users of the organization are listed for the person. */
export function seesPeople(): boolean {
  return mayUse('portal:user:viewOrgUsers') || mayUse('portal:admin:viewUsers')
}
