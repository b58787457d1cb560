import { StorageUnavailable } from './storage.ts'

/** Work that is done one piece after the other, in the order of its coming. */
export interface Line {
  <Result>(work: () => Promise<Result>, until: number): Promise<Result>
  /** Pieces that have not begun. */
  waiting(): number
}

/**
 * A line for work. What has not begun at `until` is turned away. Kysely's lock alone wakes everybody who waits at each
 * turn: four times the work in a rush.
 */
export function lineUp(): Line {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  async function begin<Result>(work: () => Promise<Result>, until: number): Promise<Result> {
    waiting -= 1
    if (performance.now() > until) throw new StorageUnavailable('The database has more to write than it can.')
    return work()
  }
  return Object.assign(
    <Result>(work: () => Promise<Result>, until: number) => {
      waiting += 1
      const done = last.then(() => begin(work, until))
      last = done.catch(() => undefined)
      return done
    },
    { waiting: () => waiting },
  )
}
