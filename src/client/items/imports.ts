import { formatCsvRow } from '../../csv-text.ts'
import { isObject } from '../../json-text.ts'
import { CommandError, refused } from '../failure.ts'
import type { Answer } from '../network/connection.ts'
import { objectsOf, textOf } from '../network/facts.ts'
import { AnswerLost } from '../network/transport.ts'
import type { Place } from '../portals/place.ts'
import type { Portal } from '../portals/portal.ts'
import type { ItemTable, Refusal } from './item-table.ts'
import type { Job, Part } from './job.ts'
import type { Rules } from './judge-table.ts'

/** Rows and encoded bytes of one import (documented by the Cartulary's reference). */
const [maxRows, maxBytes] = [20_000, 3_500_000]
/** Milliseconds between two looks at a run: the first, and the longest (chosen). */
const [minDelay, maxDelay] = [200, 5_000]
/** Plans of one part: items may change between a plan and its run (chosen). */
const maxPlans = 3

/** Does a table by imports of a Cartulary, each of which is a run that can be undone there. */
export class Imports {
  readonly #portal: Portal
  readonly #place: Place
  readonly #table: ItemTable
  readonly #rules: Rules
  readonly #username: string

  constructor(portal: Portal, place: Place, username: string, table: ItemTable, rules: Rules) {
    this.#portal = portal
    this.#place = place
    this.#username = username
    this.#table = table
    this.#rules = rules
  }

  async run(job: Job): Promise<void> {
    for (let size = maxRows; job.items < this.#table.size; ) {
      const { part, run } = job.underWay
      if (part) {
        const found = run ?? (await findRun(this.#portal, this.#username, part))
        if (found !== undefined) {
          await this.#end(job, part, found)
          continue
        }
      }
      size = await this.#begin(job, size)
    }
  }

  /** Plans the next part and begins its run; answers how many rows the next one has at most. */
  async #begin(job: Job, size: number): Promise<number> {
    const { connection } = this.#portal
    for (let attempt = 1; ; attempt += 1) {
      const rows = this.#rowsFrom(job.items, size)
      const plan = await this.#import(rows, { dryRun: true })
      const summary = isObject(plan['summary']) ? plan['summary'] : {}
      const named = objectsOf(plan, 'refused')
      // The portal names the first of many: a smaller part has all of them.
      if (Number(summary['refused']) + Number(summary['stale']) > named.length && size > 1) return Math.ceil(size / 2)
      const refusedRows = named.map(({ row, itemId, problem }): Refusal => {
        return { row: rows[Number(row) - 2]?.row ?? 0, itemId: textOf(itemId), problem: textOf(problem) }
      })
      const unchanged = Number(summary['unchanged'])
      const outcome = { items: rows.length, unchanged, refused: refusedRows }
      if (summary['changed'] === 0) {
        job.note({ done: { ...outcome, changed: 0 } })
        return size
      }
      const ids = new Set(refusedRows.map(({ itemId }) => itemId))
      const sent = rows.filter(({ id }) => !ids.has(id))
      const [newest] = await listRuns(this.#portal, 1)
      const part = { ...outcome, sent: sent.length, after: newest ? textOf(newest['id']) : null }
      job.note({ part })
      try {
        const begun = await this.#import(sent, { dryRun: false, plan: textOf(plan['id']) })
        job.note({ run: textOf(begun['id']) })
        return size
      } catch (error) {
        const lost = error instanceof AnswerLost && (await findRun(this.#portal, this.#username, part))
        if (lost) {
          job.note({ run: lost })
          return size
        }
        const isOther = error instanceof CommandError && error.portalCode === 400
        if (!(isOther || error instanceof AnswerLost) || attempt === maxPlans) throw error
        await connection.wait(minDelay)
      }
    }
  }

  /** Waits for a run, and notes what it has done. */
  async #end(job: Job, part: Part, run: string): Promise<void> {
    const failures = await waitForRun(this.#portal, run).catch((error) => {
      // Run again, the command plans the part again.
      if (error instanceof CommandError && error.exit === 1) job.note({ dropped: true })
      throw error
    })
    const failed = failures.map(({ itemId, message }): Refusal => {
      return { row: this.#table.rowOf(itemId), itemId, problem: message }
    })
    const { items, sent, unchanged } = part
    const changed = sent - unchanged - failed.length
    if (job.runs.at(-1) !== run) job.note({ run })
    job.note({ done: { items, changed, unchanged, refused: [...part.refused, ...failed] } })
  }

  /** The items from one on, as many as one import takes. */
  #rowsFrom(from: number, size: number) {
    const { rows, times, size: total } = this.#table
    const found: { readonly row: number; readonly id: string; readonly line: string }[] = []
    let bytes = 0
    for (let at = from; at < Math.min(total, from + size); at += 1) {
      const id = this.#table.id(at)
      const line = formatCsvRow([id, this.#table.paths(at).join(' | '), times[at]!])
      bytes += encodeURIComponent(line).length
      if (bytes > maxBytes && found.length > 0) break
      found.push({ row: rows[at]!, id, line })
    }
    return found
  }

  #import(rows: readonly { readonly line: string }[], given: { readonly dryRun: boolean; readonly plan?: string }) {
    const text = `id,categories,modified\r\n${rows.map(({ line }) => line).join('')}`
    const parameters = { text, delimiter: ',', mode: this.#rules.mode, group: this.#place.groupId, ...given }
    const options = { isWrite: true, isRepeatable: given.dryRun }
    return this.#portal.connection.call('/content/categories/import', parameters, options)
  }
}

/** The latest runs that the caller sees, the last one first. */
export async function listRuns(portal: Portal, num: number): Promise<readonly Answer[]> {
  return objectsOf(await portal.connection.call('/content/categories/runs', { num }), 'runs')
}

/** Runs that are looked through (chosen): a person has two at a time. */
const maxLooked = 100

/** The run that a command began whose answer it did not get. */
async function findRun(portal: Portal, username: string, { after, sent }: Part): Promise<string | undefined> {
  const runs = await listRuns(portal, maxLooked)
  const end = runs.findIndex(({ id }) => id === after)
  const since = runs.slice(0, end === -1 ? runs.length : end)
  const own = since.findLast(
    ({ kind, actor, total }) => kind === 'importItemCategories' && actor === username && total === sent,
  )
  return own && textOf(own['id'])
}

/** Waits until a run has ended; answers what it could not do. */
export async function waitForRun({ connection, portalId }: Portal, id: string) {
  for (let delay = minDelay; ; delay = Math.min(delay * 2, maxDelay)) {
    const { state, failures, done, total } = await connection.call(`/portals/${portalId}/jobs/${id}`)
    if (state === 'completed' || state === 'completed_with_failures') {
      const named = Array.isArray(failures) ? failures.filter(isObject) : []
      return named.map(({ itemId, message }) => ({ itemId: textOf(itemId), message: textOf(message) }))
    }
    if (state === 'failed' || state === 'cancelled') {
      throw refused(`The run ${id} of ${connection.url} has ${state} after ${done} of ${total} items.`)
    }
    await connection.wait(delay)
  }
}
