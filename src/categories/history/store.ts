import type { KeptBytes } from '../../directory/store.ts'
import type { Page, Slice } from '../../paging.ts'
import type { CarriedPathReader, CarriedPathStore } from '../carried-paths.ts'
import type { CategoryReaders, CategoryStores, SchemaOwner } from '../store.ts'
import type { SchemaHead, SchemaVersion, VersionMoves, VersionNote, WholeVersion } from './version.ts'

/** A page of the versions that are kept. */
export interface KeptVersions<Version = SchemaVersion> extends Slice<Version> {
  /** Number of the oldest; 0 if there never was a schema. */
  readonly firstKept: number
}

/** Reading methods of the versions of category schemas. */
export interface SchemaHistoryReader {
  /** Undefined if there never was a schema. */
  findHead(owner: SchemaOwner): Promise<SchemaHead | undefined>
  /** The versions that are kept, newest first. */
  listVersions(owner: SchemaOwner, page: Page): Promise<KeptVersions>
  /** Undefined for a version that there never was, or that is removed. */
  findVersion(owner: SchemaOwner, version: number): Promise<WholeVersion | undefined>
  /** Lists the versions after one up to another, newest first. A version that is removed is missing. */
  listMoves(owner: SchemaOwner, after: number, upTo: number): Promise<readonly VersionMoves[]>
}

/** The store of what versions have besides their documents. */
export interface SchemaHistoryStore extends SchemaHistoryReader {
  /** Writes the note of the latest version. */
  noteVersion(owner: SchemaOwner, version: number, note: VersionNote): Promise<void>
}

/** The readers of queries that look at versions, and the stores of changes that write them. */
export interface HistoryReaders extends CategoryReaders {
  readonly schemaHistory: SchemaHistoryReader
}
export interface HistoryStores extends CategoryStores {
  readonly schemaHistory: SchemaHistoryStore
}

/** Stores that judging and planning a change of a schema reads. */
export interface ChangeReaders extends HistoryReaders {
  readonly items: CarriedPathReader & KeptBytes
}

/** Stores that a change of a schema writes. */
export interface ChangeStores extends HistoryStores {
  readonly items: CarriedPathStore & KeptBytes
}
