import type { Call } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { resourceNotFound, versionNotKept } from '../../errors.ts'
import type { Page } from '../../paging.ts'
import type { Diff } from '../diff/change.ts'
import { diffSchemas } from '../diff/diff.ts'
import type { SchemaSize } from '../limits.ts'
import type { Move } from '../moves.ts'
import { type OwnerInput, requireHistory } from '../owners.ts'
import { measureSchema } from '../schema.ts'
import { listPaths } from '../schema-paths.ts'
import type { SchemaOwner } from '../store.ts'
import { composeMoves, composeMovesBack } from './compose-moves.ts'
import { hashOfDocument, parseDocument } from './document-hash.ts'
import type { HistoryReaders, KeptVersions, SchemaHistoryReader } from './store.ts'
import type { SchemaVersion, WholeVersion } from './version.ts'

/** A version with the size that earlier releases did not count. */
export interface MeasuredVersion extends SchemaVersion {
  readonly size: SchemaSize
}

export interface SchemaVersions extends KeptVersions<MeasuredVersion> {
  readonly page: Page
}

interface ListInput extends OwnerInput {
  readonly page: Parsed<Page>
}

/** The versions, newest first. */
export async function listSchemaVersions(
  stores: HistoryReaders,
  call: Call,
  input: ListInput,
): Promise<SchemaVersions> {
  const owner = await requireHistory(stores, call, input)
  const page = unwrapParsed(input.page)
  const { entries, ...kept } = await stores.schemaHistory.listVersions(owner, page)
  const measured: MeasuredVersion[] = []
  // One document at a time: a page of them may be large.
  for (const entry of entries)
    measured.push({ ...entry, size: entry.size ?? (await measureVersion(stores, owner, entry)) })
  return { ...kept, entries: measured, page }
}

async function measureVersion(
  { schemaHistory }: HistoryReaders,
  owner: SchemaOwner,
  { version }: SchemaVersion,
): Promise<SchemaSize> {
  return measureSchema(parseDocument((await schemaHistory.findVersion(owner, version))?.document))
}

interface VersionInput extends OwnerInput {
  /** Text of the path. */
  readonly version: string
}

export interface HashedVersion extends WholeVersion {
  readonly hash: string
}

/** A version of the schema; 404 if there never was one, and, with a sentence, if it is no longer kept. */
export async function readSchemaVersion(
  stores: HistoryReaders,
  call: Call,
  input: VersionInput,
): Promise<HashedVersion> {
  const owner = await requireHistory(stores, call, input)
  const version = await requireVersion(stores.schemaHistory, owner, parseVersion(input.version))
  return { ...version, hash: hashOfDocument(version.document) }
}

/** The number of a version in a path; undefined for any other text. */
export function parseVersion(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

export async function requireVersion(
  schemaHistory: SchemaHistoryReader,
  owner: SchemaOwner,
  version: number | undefined,
): Promise<WholeVersion> {
  if (version === undefined) throw resourceNotFound()
  const found = await schemaHistory.findVersion(owner, version)
  if (found) return found
  const latest = (await schemaHistory.findHead(owner))?.version ?? 0
  throw version < latest ? versionNotKept(version) : resourceNotFound()
}

/** A version as one side of a comparison: number 0 for what there was before the first. */
export type ComparedVersion = SchemaVersion | undefined

export interface VersionDiff extends Diff {
  readonly from: ComparedVersion
  readonly to: SchemaVersion
  /** Declared moves, composed over the versions between; none where one of these is removed. */
  readonly moves: readonly Move[]
}

interface DiffInput extends VersionInput {
  readonly from: Parsed<number | undefined>
}

/** How a version differs from the one before, or from another one. A deletion counts as an empty schema. */
export async function diffSchemaVersions(stores: HistoryReaders, call: Call, input: DiffInput): Promise<VersionDiff> {
  const owner = await requireHistory(stores, call, input)
  const { schemaHistory } = stores
  const to = await requireVersion(schemaHistory, owner, parseVersion(input.version))
  const number = unwrapParsed(input.from) ?? to.version - 1
  const from = number === 0 ? undefined : await requireVersion(schemaHistory, owner, number)
  const before = parseDocument(from?.document)
  const after = parseDocument(to.document)
  const moves = await movesBetween(
    schemaHistory,
    owner,
    { number, paths: listPaths(before) },
    { number: to.version, paths: listPaths(after) },
  )
  return { from, to, moves, ...diffSchemas(before, after, moves) }
}

interface Side {
  readonly number: number
  readonly paths: readonly string[]
}

/** Moves declared between two versions; none where one between them is removed. */
export async function movesBetween(
  schemaHistory: SchemaHistoryReader,
  owner: SchemaOwner,
  from: Side,
  to: Side,
): Promise<readonly Move[]> {
  const [older, newer] = from.number < to.number ? [from, to] : [to, from]
  const newestFirst = await schemaHistory.listMoves(owner, older.number, newer.number)
  if (newestFirst.length < newer.number - older.number) return []
  const steps = newestFirst.map(({ moves }) => moves).toReversed()
  return (older === from ? composeMoves : composeMovesBack)(older.paths, newer.paths, steps)
}
