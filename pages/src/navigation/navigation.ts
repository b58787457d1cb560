import { Changes } from '../state/changes.ts'
import { belowBase, findPath, type PathName, type PathParameters, pathTo } from './paths.ts'

/** Place of the person: a screen, the values in its path, and the query, which is the state of the screen. */
export interface Place {
  /** Undefined if the application has no such screen. */
  readonly name: PathName | undefined
  readonly parameters: PathParameters
  readonly query: URLSearchParams
}

/** Address of the application, with the slash at its end. */
export const base = new URL(document.baseURI)

/** Changes of the place. */
export const placeChanges = new Changes()

export function presentPlace(): Place {
  const { pathname, search } = window.location
  const { name, parameters } = findPath(belowBase(pathname, base.pathname)) ?? { name: undefined, parameters: {} }
  return { name, parameters, query: new URLSearchParams(search) }
}

type Query = Readonly<Record<string, string | number | undefined>>

/** Address of a screen. Undefined and empty values are left out of the query. */
export function hrefTo(name: PathName, parameters: PathParameters = {}, query: Query = {}): string {
  const href = new URL(pathTo(name, parameters).slice(1), base)
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') href.searchParams.set(key, String(value))
  }
  return href.href
}

/** Address of the present screen with a changed query. */
export function hrefWith(changes: Query): string {
  const { name, parameters, query } = presentPlace()
  return hrefTo(name ?? 'home', parameters, { ...Object.fromEntries(query), ...changes })
}

/** Navigates to an address of the application as a link would: adds an entry to the history of the browser. */
export function goTo(href: string): void {
  window.history.pushState(null, '', href)
  placeChanges.emit()
}

/** Changes the query of the present screen without adding a history entry, such as for filters that are being typed. */
export function replaceQuery(query: Query): void {
  const { name, parameters } = presentPlace()
  if (!name) return
  window.history.replaceState(null, '', hrefTo(name, parameters, query))
  placeChanges.emit()
}

/** Handles links within the application without loading the page again. */
export function followLinks(): void {
  window.addEventListener('popstate', () => placeChanges.emit())
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement)
    if (!link?.href || link.target || link.hasAttribute('download') || !isScreen(link.href)) return
    event.preventDefault()
    if (link.href !== window.location.href) goTo(link.href)
  })
}

function isScreen(href: string): boolean {
  const { origin, pathname } = new URL(href)
  return (
    origin === base.origin &&
    pathname.startsWith(base.pathname) &&
    !!findPath(`/${pathname.slice(base.pathname.length)}`)
  )
}
