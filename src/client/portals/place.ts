import { groupLimits, portalLimits } from '../../categories/limits.ts'
import { refused, untried } from '../failure.ts'
import type { Connection } from '../network/connection.ts'
import { objectsOf, type PortalFacts, textOf } from '../network/facts.ts'
import type { Place } from './portal.ts'

/** A place of a schema as it is named, before a portal is asked. */
export type NamedPlace =
  | { readonly kind: 'portal'; readonly owner: string; readonly version: number | undefined }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'template' | 'orgtemplate'; readonly name: string }

/** Reads the name of a place: `org`, `group:…`, either with `@n`, `template:…`, `orgtemplate:…`, a file, or `-`. */
export function parsePlace(text: string): NamedPlace {
  const versioned = /^(.+)@(\d+)$/s.exec(text)
  const owner = versioned?.[1] ?? text
  const version = versioned ? Number(versioned[2]) : undefined
  if (owner === 'org' || /^group:./s.test(owner)) {
    if (version === 0) throw untried(`There is no version 0: versions count from 1.`)
    return { kind: 'portal', owner, version }
  }
  if (text === '' || text === 'group:') throw untried('A place is org, group:<id>, group:<title> or a file.')
  if (text === 'members') throw untried('The place members is not known; a file of that name is ./members.')
  const template = /^(template|orgtemplate):(.+)$/s.exec(text)
  if (template) return { kind: template[1] as 'template', name: template[2]! }
  if (versioned) throw untried(`${owner} is a file, which has no versions.`)
  if (/^[a-z]+:/i.test(text) && !/^[a-z]:[\\/]/i.test(text)) {
    throw untried(`${text} is no place: org, group:<id>, group:<title>, template:<name>; a file is ./${text}.`)
  }
  return { kind: 'file', path: text }
}

/** The owner of a schema at a portal, who has to be there. */
export async function findPlace(connection: Connection, facts: PortalFacts, owner: string): Promise<Place> {
  if (owner === 'org') {
    const path = `/portals/${facts.portalId}`
    return { key: 'org', path, groupId: undefined, title: facts.name, limits: portalLimits }
  }
  const wanted = owner.slice('group:'.length)
  const byId = /^[0-9a-f]{32}$/i.test(wanted) ? await searchGroups(connection, `id:${wanted.toLowerCase()}`) : []
  const known = byId.find(({ id }) => id === wanted.toLowerCase())
  if (known) return groupPlace(known)
  const phrase = wanted.replaceAll('"', ' ').replaceAll('\\', ' ')
  const titled = (await searchGroups(connection, `title:"${phrase}"`)).filter(({ title }) => title === wanted)
  if (titled.length === 0) throw refused(`There is no group ${wanted} that you may see at ${connection.url}.`)
  if (titled.length > 1) {
    throw untried(`Several groups have the title ${wanted}: ${titled.map(({ id }) => `group:${id}`).join(', ')}.`)
  }
  return groupPlace(titled[0]!)
}

interface FoundGroup {
  readonly id: string
  readonly title: string
}

function groupPlace({ id, title }: FoundGroup): Place {
  return { key: `group:${id}`, path: `/community/groups/${id}`, groupId: id, title, limits: groupLimits }
}

/** Groups of one page, and pages that are read (chosen): more groups than that have no common words in their titles. */
const pageSize = 100
const maxPages = 10

async function searchGroups(connection: Connection, q: string): Promise<readonly FoundGroup[]> {
  const found: FoundGroup[] = []
  let start = 1
  for (let page = 0; page < maxPages && start > 0; page += 1) {
    const answer = await connection.call('/community/groups', { q, start, num: pageSize })
    for (const group of objectsOf(answer, 'results')) {
      found.push({ id: textOf(group['id']), title: textOf(group['title']) })
    }
    start = Number(answer['nextStart'] ?? -1)
  }
  return found
}
