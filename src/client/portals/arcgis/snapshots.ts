import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText } from '../../../categories/canonical.ts'
import { hashOf } from '../../../categories/history/document-hash.ts'
import type { Move } from '../../../categories/moves.ts'
import { type CategorySchema, measureSchema } from '../../../categories/schema.ts'
import { refused, untried } from '../../failure.ts'
import { readText, writePrivately } from '../../files/file.ts'
import type { Place } from '../place.ts'
import type { KeptVersion } from '../portal.ts'

/** A schema that this machine found or made. */
interface Snapshot extends KeptVersion {
  readonly document: string
  /** Moves that led to it from the snapshot before. */
  readonly moves: readonly Move[]
}

/** Snapshots of the schemas of one portal, in a folder for each place: ArcGIS keeps no versions. */
export class Snapshots {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Keeps the schema, unless it is the newest snapshot. Returns its number; 0 for an empty one that nothing is before. */
  keep(place: Place, schema: CategorySchema, note: SnapshotNote): number {
    const newest = this.list(place)[0]
    if (newest ? newest.document === canonicalText(schema) : schema.categorySchema.length === 0) {
      return newest?.version ?? 0
    }
    const version = (newest?.version ?? 0) + 1
    const { categories } = measureSchema(schema)
    const kept = { moves: [], comment: null, ...note, version, categories, modifiedBy: null }
    const text = JSON.stringify({ ...kept, document: canonicalText(schema) })
    writePrivately(join(this.#folderOf(place), `${version}.json`), text)
    return version
  }

  /** The newest first. */
  list(place: Place): readonly Snapshot[] {
    const folder = this.#folderOf(place)
    const names = existsSync(folder) ? readdirSync(folder) : []
    const numbers = names.flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? []).map(Number)
    return numbers.sort((one, other) => other - one).map((number) => read(join(folder, `${number}.json`)))
  }

  /** The schema of a snapshot, and the moves of all later ones, the oldest first. */
  find(place: Place, version: number) {
    const all = this.list(place)
    const found = all.find((one) => one.version === version)
    const title = `${place.key}@${version}`
    if (!found)
      throw refused(`There is no snapshot ${title} on this machine; cartulary schema history lists those made by it.`)
    const schema: CategorySchema = JSON.parse(found.document)
    if (schema.categorySchema.length === 0) throw refused(`${title} is a deletion: cartulary schema delete.`)
    const later = all.filter((one) => one.version > version)
    return { schema, since: later.map(({ moves }) => moves).toReversed() }
  }

  #folderOf({ key }: Place): string {
    return join(this.#folder, 'snapshots', key.replace(':', '-'))
  }
}

function read(path: string): Snapshot {
  try {
    const snapshot: Snapshot = JSON.parse(readText(path) ?? '')
    hashOf(JSON.parse(snapshot.document))
    return snapshot
  } catch {
    throw untried(`${path} is not a snapshot; remove it.`)
  }
}

export interface SnapshotNote {
  readonly action: 'found' | 'assign' | 'restore' | 'delete'
  /** Epoch milliseconds. */
  readonly modified: number
  readonly comment?: string | null
  readonly moves?: readonly Move[]
}
