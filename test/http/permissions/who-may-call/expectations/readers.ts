import type { Case } from './case.ts'
import { insiders, notFound, ok, openToAnonymous, signedOut } from './outcomes.ts'

/** Readers of resources for members of an organization, or for everyone if it is public; `self` is another question. */
export const readersOfOrganization: readonly Case[] = [
  {
    on: 'a private organization',
    privileges: [],
    expected: { ...signedOut, outsider: notFound, ...insiders(ok) },
  },
  {
    on: 'a public organization',
    access: 'public',
    privileges: [],
    expected: { ...openToAnonymous, outsider: ok, ...insiders(ok) },
  },
]
