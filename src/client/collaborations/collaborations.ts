import { findNearest, withHint } from '../../spelling.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { refused, untried } from '../failure.ts'
import { type Answer, type Connection, PortalRefused } from '../network/connection.ts'
import { isId, listAll, textOf } from '../network/facts.ts'
import { formatTable, formatTime } from '../output/text.ts'
import { openPortal } from '../portals/open.ts'

/** A collaboration or a workspace; its id can be a part of an address. */
export type Named = Answer & Readonly<{ id: string; name: string }>

export interface OpenCollaboration {
  readonly connection: Connection
  /** Path below `/sharing/rest`. */
  readonly path: string
  readonly collaboration: Named
}

/** The collaboration that the first argument names. */
export async function openCollaboration(call: Call): Promise<OpenCollaboration> {
  const { connection, portalId } = (await openPortal(call)).portal
  const path = `/portals/${portalId}/collaborations`
  const collaboration = findNamed(await listNamed(connection, path, 'collaborations'), call.positionals[0]!)
  return { connection, path: `${path}/${collaboration.id}`, collaboration }
}

/** The entries of a list: no parameter is documented for its first page, and the answer says where the next one starts. */
export async function listNamed(
  connection: Connection,
  path: string,
  noun: 'collaborations' | 'workspaces',
): Promise<Readonly<{ noun: string; list: readonly Named[] }>> {
  const list = (await listAll(connection, `${path}${noun === 'workspaces' ? '/workspaces' : ''}`, noun, {}, {})).map(
    (entry) => {
      const { id, name } = entry
      if (!isId(id)) throw untried(`The portal answers with ${noun} without an id.`)
      return { ...entry, id, name: textOf(name) }
    },
  )
  return { noun, list }
}

/** The entry of this id, or else of exactly this name. */
export function findNamed({ noun, list }: Awaited<ReturnType<typeof listNamed>>, wanted: string): Named {
  const byId = list.filter(({ id }) => id === wanted)
  const found = byId.length > 0 ? byId : list.filter(({ name }) => name === wanted)
  if (found.length > 1)
    throw untried(`Several ${noun} have the name ${wanted}: ${found.map(({ id }) => id).join(', ')}.`)
  if (found.length === 1) return found[0]!
  const nearest = findNearest(
    wanted,
    list.map(({ name }) => name),
  )
  throw refused(withHint(`There is no ${noun.slice(0, -1)} ${wanted} that you may see`, nearest))
}

export async function listCollaborations(call: Call): Promise<Answered> {
  const { connection, portalId } = (await openPortal(call)).portal
  const { list } = await listNamed(connection, `/portals/${portalId}/collaborations`, 'collaborations')
  const rows = list.map(({ id, name, created, description }) => [id, name, timeOf(created), textOf(description)])
  const text = formatTable(['id', 'name', 'created', 'description'], rows, call.shell)
  return { json: { collaborations: list }, text }
}

/** Workspaces and participants stand beside the members of the collaboration. */
export async function showCollaboration(call: Call): Promise<Answered> {
  const { connection, path, collaboration } = await openCollaboration(call)
  const { list: workspaces } = await listNamed(connection, path, 'workspaces')
  const participants = await listParticipants(call, connection, path)
  const { id, name, description, created } = collaboration
  const rows = [
    ['id', id],
    ['name', name],
    ['description', textOf(description)],
    ['created', timeOf(created)],
    ...workspaces.map((workspace) => ['workspace', `${workspace.id} ${workspace.name}`]),
    ...participants.map(({ collaborationRole, portalInfo }) => {
      const { name: portal, url } = portalInfo as Answer
      return ['participant', `${textOf(collaborationRole)} ${textOf(portal)} ${textOf(url)}`]
    }),
  ]
  return {
    json: { ...collaboration, workspaces, participants },
    text: formatTable(['property', 'value'], rows, call.shell),
  }
}

/** The host's administrators alone may read them at ArcGIS. */
async function listParticipants(call: Call, connection: Connection, path: string): Promise<readonly Answer[]> {
  try {
    return await listAll(connection, `${path}/participants`, 'participants', {}, {})
  } catch (error) {
    if (!(error instanceof PortalRefused) || error.exit !== 1) throw error
    call.say(`Participants are not shown: ${error.message}`)
    return []
  }
}

/** Epoch milliseconds of an answer as ISO 8601; nothing where there are none. */
export function timeOf(value: unknown): string {
  return typeof value === 'number' ? formatTime(value) : ''
}
