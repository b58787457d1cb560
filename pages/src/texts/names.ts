import { isolate } from './bidi.ts'

/** A person as lists show them: what they are called, and the username beside it where that is something else. */
interface ShownName {
  readonly name: string
  readonly username: string | undefined
}

/** A full name is chosen by its user, and may be another's: the username is always seen where they differ. */
export function namesOf(username: string, fullName: string | null | undefined): ShownName {
  return !fullName || fullName === username ? { name: username, username: undefined } : { name: fullName, username }
}

/** The title of a page: its heading, the organization if there is one, and the application, each of them once. */
export function titleOfPage(heading: string, organization: string | undefined, direction: 'ltr' | 'rtl'): string {
  const parts = new Set([heading, organization ?? '', 'Cartulary'].map((part) => part.trim()).filter(Boolean))
  return [...parts].map((part) => isolate(part, direction)).join(' · ')
}
