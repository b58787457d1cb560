import { type App, appFields } from '../../../oauth/apps/app.ts'
import { browserSessionFields, codeFields, grantFields, refreshTokenFields } from '../../../oauth/grant.ts'
import type { Rows } from '../../tables/rows.ts'
import { mapper } from '../mapper.ts'

/** Records of this room as rows, and back. */

/** An app with its item, which gives it its title and its owner. */
export type AppRow = Rows['oauth_apps'] & {
  readonly item_title: string | null
  readonly owner_id: string | null
  readonly owner_username: string | null
}

const apps = mapper(appFields)

export function toApp(row: AppRow): App {
  const { item_title: itemTitle, owner_id: userId, owner_username: username } = row
  return {
    ...apps.toRecord(row),
    portalId: row.portal_id,
    owner: userId === null || username === null ? undefined : { userId, username },
    title: itemTitle ?? row.title,
    isDisabled: row.disabled === 1,
    isConfirmed: row.confirmed === 1,
  }
}

export function fromApp(app: App): Rows['oauth_apps'] {
  const { portalId, title, isDisabled, isConfirmed } = app
  if (portalId === undefined) throw new Error(`The built-in app ${app.clientId} is not stored.`)
  const own = { portal_id: portalId, title, disabled: isDisabled ? 1 : 0, confirmed: isConfirmed ? 1 : 0 }
  return { ...apps.toRow(app), ...own }
}

export const grants = mapper(grantFields)
export const codes = mapper(codeFields)
export const refreshTokens = mapper(refreshTokenFields)
export const browserSessions = mapper(browserSessionFields)
