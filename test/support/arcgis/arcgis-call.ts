import type { ItemIndex } from './item-index.ts'
import type { Token, World } from './world.ts'

/** An error as ArcGIS answers it. */
export class ArcgisError extends Error {
  readonly code: number
  readonly messageCode: string | undefined
  readonly details: readonly string[]

  constructor(code: number, message: string, messageCode?: string, details: readonly string[] = []) {
    super(message)
    this.code = code
    this.messageCode = messageCode
    this.details = details
  }
}

/** One call: where it goes to, its parameters, and whose token it has. */
export interface ArcgisCall {
  readonly places: Readonly<Record<string, string | undefined>>
  readonly parameters: URLSearchParams
  readonly token: Token | undefined
  /** Address of the portal, without the path of the API. */
  readonly root: string
}

export type Answer = (world: World, call: ArcgisCall, index: ItemIndex) => object

/** An app acts with the privileges that it was registered with, here those of administrators. */
export function requireAdministrator(world: World, token: Token | undefined): void {
  if (token?.clientId !== undefined) return
  if (world.users.get(requireUser(token))?.role !== 'org_admin') throw notPermitted()
}

export function requirePortal(world: World, { places }: ArcgisCall): string {
  if (places['portal'] !== world.id && places['portal'] !== 'self') throw notFound()
  return world.id
}

export function notFound(): ArcgisError {
  return new ArcgisError(404, 'Resource does not exist or is inaccessible.')
}

export function requireUser(token: Token | undefined): string {
  if (!token) throw new ArcgisError(499, 'Token Required', 'GWM_0003', ['Token Required'])
  if (token.username === undefined) throw notPermitted()
  return token.username
}

export function notPermitted(): ArcgisError {
  const message = 'You do not have permissions to access this resource or perform this operation.'
  return new ArcgisError(403, message, 'GWM_0003')
}
