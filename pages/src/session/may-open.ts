import type { PathName } from '../navigation/paths.ts'
import { may } from './session.ts'

/** Whether a screen is of use to the present person, by what they may do on the organization; screens that are not named are to all. */
const uses: Partial<Record<PathName, () => boolean>> = {
  organizationHistory: () => may('assignPortalCategorySchema'),
  organizationImport: () => may('assignPortalCategorySchema'),
  newItem: () => may('addItem'),
  collaborations: () => may('listCollaborations'),
  newCollaboration: () => may('createCollaboration'),
  people: () => may('searchPortalUsers'),
  newPeople: () => may('inviteUsers'),
  roles: () => may('searchPortalUsers'),
  permissionCheck: () => may('searchPortalUsers'),
  organizationSettings: () => may('updatePortal'),
  apps: () => may('listApps'),
  log: () => may('listPortalHistory'),
  system: () => may('readServerFigures'),
}

export function mayOpen(name: PathName): boolean {
  return uses[name]?.() ?? true
}
