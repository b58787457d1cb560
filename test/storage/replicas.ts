import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Replica, readFigures, shareFigures } from '../../src/storage/replica/replica.ts'
import type { Readers } from '../../src/storage/storage.ts'

/** A search that is a function: for replicas on the thread of the test. */
type SearchWork = (stores: Readers) => Promise<unknown>

/** A search replica in a folder of its own, filled once. */
export async function openReplica(url: string, folder = mkdtempSync(join(tmpdir(), 'cartulary-replica-'))) {
  const shared = shareFigures()
  const replica = new Replica<SearchWork>(url, { folder, figures: shared }, (stores, work) => work(stores))
  await replica.fill()
  async function close(): Promise<void> {
    await replica.close()
    rmSync(folder, { recursive: true })
  }
  return { replica, folder, close, figures: () => readFigures(shared) }
}
