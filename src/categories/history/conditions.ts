import { categorySchemaChanged, operationRefused, type SchemaTask } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import type { OwnedSchema, SchemaOwner } from '../store.ts'
import { hashOfDocument } from './document-hash.ts'
import type { HistoryReaders } from './store.ts'
import type { SchemaHead } from './version.ts'

/** Expectations of a caller about the present schema; an undefined one is not compared. */
export interface Conditions {
  /** `If-Match`: revisions, one of which has to be the present one, or any, where a schema is set. No revision is refused. */
  readonly ifMatch?: readonly string[] | 'any' | undefined
  /** 0 if there never was a schema. */
  readonly ifVersion?: number | undefined
  /** Hash of the canonical form. */
  readonly ifHash?: string | undefined
}

const emptyIfMatch =
  'If-Match: is empty; give an entity tag, or leave the header out to change the schema whatever it is.'

/** Refuses with 409 unless the present schema is the expected one. Reads nothing where nothing is expected. */
export async function requireConditions(
  { categories, schemaHistory }: HistoryReaders,
  owner: SchemaOwner,
  { ifMatch, ifVersion, ifHash }: Conditions,
  task: SchemaTask,
): Promise<void> {
  if (!ifMatch && ifVersion === undefined && ifHash === undefined) return
  if (ifMatch?.length === 0) throw operationRefused(emptyIfMatch)
  const head = await schemaHistory.findHead(owner)
  const version = head?.version ?? 0
  if (ifVersion !== undefined && ifVersion !== version) {
    const detail = head
      ? say('schemaAtVersion', { version, expected: ifVersion, username: head.author, time: timeOf(head) })
      : say('schemaWasNever', { version, expected: ifVersion })
    throw categorySchemaChanged(task, detail, version)
  }
  if (!ifMatch && ifHash === undefined) return
  const present = await categories.findDocument(owner)
  const hash = ifHash === undefined ? undefined : hashOfDocument(present?.document)
  if (hash !== ifHash) {
    const detail = `The schema has the hash ${hash}, not ${ifHash}: ${formatChange(head)}`
    throw categorySchemaChanged(task, detail, version)
  }
  if (!ifMatch) return
  const takesAny = ifMatch === 'any'
  if (takesAny ? !present : !ifMatch.includes(revisionOf({ owner, present }))) {
    const detail = present
      ? `If-Match names another category schema than the present version ${version}: ${formatChange(head)}`
      : `If-Match ${takesAny ? 'asks for' : 'names'} a category schema, but none is set.`
    throw categorySchemaChanged(task, detail, version)
  }
}

/** Who changed the schema last, and when. */
function formatChange(head: SchemaHead | undefined): string {
  return head ? `${head.author} changed it at ${timeOf(head)}.` : 'there never was one.'
}

/** Time of a change, to the second. */
function timeOf({ modifiedAt }: SchemaHead): string {
  return new Date(modifiedAt).toISOString().replace(/\.\d+Z$/, 'Z')
}

/**
 * Identifies one state of one owner's schema, for entity tags. The version alone would not, as numbers repeat after a backup
 * is restored; without the owner, schemas of two organizations would share one, as both have the path `/portals/self`.
 */
export function revisionOf({ owner, present }: OwnedSchema): string {
  const state = present ? `${present.version}-${present.assignedAt.toString(36)}` : '0'
  return `${idOf(owner)}-${state}`
}

/** Whether it identifies a state of the schema of this owner. */
export function isRevisionOf(owner: SchemaOwner, revision: string): boolean {
  return revision.startsWith(`${idOf(owner)}-`)
}

function idOf(owner: SchemaOwner): string {
  return owner.kind === 'group' ? owner.groupId : owner.portalId
}
