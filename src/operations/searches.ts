/** Queries that read any number of rows. */

export { listPortalHistory } from '../audit/log-operations.ts'
export { listWorkspaces } from '../collaborations/workspace-operations.ts'
export { searchGroupUsers } from '../directory/groups/member-search.ts'
export { searchGroups } from '../directory/groups/search-operations.ts'
export { listGroupUsers } from '../directory/member-operations.ts'
export { searchPortalUsers, searchUsers } from '../directory/users/search-operations.ts'
export { listUsers } from '../directory/users/user-operations.ts'
export { listItemGroups } from '../items/item-operations.ts'
export { listUserItems, readUserItem } from '../items/owner-operations.ts'
export { listGroupItems, listUserTags, searchGroupItems, searchItems } from '../items/search/search-operations.ts'
export { listApps } from '../oauth/apps/app-operations.ts'
export { listSessions } from '../oauth/sessions/session-operations.ts'
