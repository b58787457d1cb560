import type { Call } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { operationRefused } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import type { PathMoves } from '../carried-paths.ts'
import { composeMovesBack } from '../history/compose-moves.ts'
import { type Conditions, requireConditions } from '../history/conditions.ts'
import { parseDocument } from '../history/document-hash.ts'
import { parseVersion, requireVersion } from '../history/operations.ts'
import type { ChangeReaders } from '../history/store.ts'
import type { Move } from '../moves.ts'
import { type EditableOwner, type OwnerInput, requireAssignable } from '../owners.ts'
import { listPaths } from '../schema-paths.ts'
import type { SchemaOwner } from '../store.ts'
import { readPresent } from './accept.ts'

/** Whether items go back to where they were, or stay where they are. */
export const itemsChoices = ['follow', 'stay'] as const

export interface RestoreOptions extends Pick<Conditions, 'ifVersion' | 'ifHash'> {
  readonly comment?: string | undefined
  readonly items: (typeof itemsChoices)[number]
}

export interface RestoreInput extends OwnerInput, Pick<Conditions, 'ifMatch'> {
  /** Text of the path. */
  readonly version: string
  readonly options: Parsed<RestoreOptions>
}

export interface AcceptedRestore extends EditableOwner {
  readonly restored: number
  readonly document: string
  readonly options: RestoreOptions
  /** The way back, as moves: exact for categories of schemas. */
  readonly moves: readonly Move[]
  /** Moves of paths by the versions since then, the newest first; none if items stay. */
  readonly undone: readonly PathMoves[]
}

/** The verdict on a restore, the same for the restore itself and for its plan. */
export async function acceptRestore(stores: ChangeReaders, call: Call, input: RestoreInput): Promise<AcceptedRestore> {
  const editable = await requireAssignable(stores, call, input)
  const { owner } = editable
  const { version, document } = await requireVersion(stores.schemaHistory, owner, parseVersion(input.version))
  const options = unwrapParsed(input.options)
  if (!document) throw operationRefused(say('versionIsDeletion', { version }))
  await requireConditions(stores, owner, { ...options, ifMatch: input.ifMatch }, 'restore')
  const accepted = { ...editable, restored: version, document: Buffer.from(document).toString(), options }
  if (options.items === 'stay') return { ...accepted, moves: [], undone: [] }
  return { ...accepted, ...(await findWayBack(stores, owner, version, document)) }
}

async function findWayBack(stores: ChangeReaders, owner: SchemaOwner, version: number, document: Uint8Array) {
  const latest = (await stores.schemaHistory.findHead(owner))?.version ?? 0
  const since = await stores.schemaHistory.listMoves(owner, version, latest)
  if (since.length < latest - version) {
    throw operationRefused(say('movesRemoved', { version, latest }))
  }
  const target = listPaths(parseDocument(document))
  const present = listPaths(await readPresent(stores, owner))
  const steps = since.map(({ moves }) => moves).toReversed()
  return {
    moves: composeMovesBack(target, present, steps),
    undone: since.flatMap(({ pathMoves }) => pathMoves.toReversed()),
  }
}
