import { groupLimits, portalLimits, type SchemaLimits } from '../../categories/limits.ts'
import { refused, untried } from '../failure.ts'
import type { Answer, Connection } from '../network/connection.ts'
import { isId, listAll, type PortalFacts, textOf } from '../network/facts.ts'
import { clean } from '../output/text.ts'

export interface Place {
  /** Name in plan files: `org` or `group:<id>`. */
  readonly key: string
  /** Path of the owner below `/sharing/rest`: `/portals/<id>` or `/community/groups/<id>`. */
  readonly path: string
  readonly groupId: string | undefined
  /** Title of the group, or name of the organization. */
  readonly title: string
  readonly limits: SchemaLimits
}

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
  const isId = /^[0-9a-f]{32}$/i.test(wanted)
  const q = isId ? `id:${wanted.toLowerCase()}` : `title:"${wanted.replaceAll(/["\\]/g, ' ')}"`
  const groups = (await listAll(connection, '/community/groups', 'results', { q })).map(groupOf)
  const found = groups.filter(({ groupId, title }) => (isId ? groupId === wanted.toLowerCase() : title === wanted))
  if (found.length === 0) throw refused(`There is no group ${wanted} that you may see at ${connection.url}.`)
  if (found.length > 1) {
    throw untried(`Several groups have the title ${wanted}: ${found.map(({ key }) => key).join(', ')}.`)
  }
  return found[0]!
}

function groupOf(found: Answer): Place {
  const { id } = found
  if (!isId(id)) throw untried('The portal answers with a group without an id.')
  const path = `/community/groups/${id}`
  return { key: `group:${id}`, path, groupId: id, title: textOf(found['title']), limits: groupLimits }
}

export function describePlace({ key, title }: Pick<Place, 'key' | 'title'>): string {
  return key === 'org' ? `the organization ${clean(title)}` : `the group ${clean(title)}`
}
