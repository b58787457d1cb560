import type { Page, Slice } from '../../paging.ts'
import { field, type Named, type RecordOf } from '../../record.ts'
import type { App } from './app.ts'

export const appTokenFields = {
  tokenHash: field.text(),
  clientId: field.text(),
  createdAt: field.time(),
  expiresAt: field.time(),
}

/** A token by which an app acts as itself. */
export interface AppToken extends RecordOf<typeof appTokenFields>, Named {}

/** Epoch milliseconds, with the last one. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Reading methods of registered apps; built-in ones are in the program. */
export interface AppReader {
  findApp(clientId: string): Promise<App | undefined>
  findAppOfItem(itemId: string): Promise<App | undefined>
  /** Lists apps of the items that a user owns, `max` of them. */
  listAppsOwnedBy(userId: string, max: number): Promise<readonly App[]>
  /** Lists apps of an organization, in the order of client ids. */
  listApps(portalId: string, page: Page): Promise<Slice<App>>
  /**
   * Apps in use whose secrets end in that time, were made for longer than so many milliseconds, and of which fewer reminders were
   * sent (any number, where none is given); `max` of them.
   */
  listEndingSecrets(
    time: Span,
    of: { readonly longerThan: number; readonly reminders?: number },
    max: number,
  ): Promise<readonly App[]>
  /** Client ids of the built-in apps that the organization has switched off. */
  listSwitchedOff(portalId: string): Promise<readonly string[]>
}

/** The store of registered apps. */
export interface AppStore extends AppReader {
  addApp(app: App): Promise<void>
  updateApp(app: App): Promise<void>
  /** Removes it with all that was issued under it. */
  removeApp(clientId: string): Promise<void>
  putSwitch(portalId: string, clientId: string, isOff: boolean): Promise<void>
  /** Ends what users of the organization have allowed the app. */
  removeGrantsOfApp(clientId: string, portalId: string): Promise<void>
  /** Ends what the app got by its secret, and has to renew by it. */
  removeGrantsWithSecret(clientId: string): Promise<void>
  /** Ends its secrets, its tokens, what users have allowed it, and what administrators decided for it: confirmation, no questions. */
  disownApp(clientId: string, at: number): Promise<void>

  /** Adds a token, and removes the oldest ones of the app above `max`. */
  addAppToken(token: AppToken, max: number): Promise<void>
  removeAppToken(tokenHash: string): Promise<void>
  removeAppTokens(clientId: string): Promise<void>
}
