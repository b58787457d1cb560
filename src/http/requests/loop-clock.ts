/** Measures turns of the event loop, and does work in parts of them. */
export interface LoopClock {
  /** Whether this turn has taken so long that whatever arrives in it should wait for a later one. */
  isLate(): boolean
  /**
   * Calls `act` for a part of each turn, from the next one on, until it returns false: again as soon as all the work that
   * the call before it began has left the thread.
   */
  eachTurn(act: () => boolean): void
}

/** Milliseconds of one turn after which further requests of that turn wait (chosen). */
const maxTurn = 3
/** Milliseconds of one turn in which waiting requests begin: what arrives meanwhile is not considered before (chosen). */
const maxServing = 1
/** Requests that begin in one turn (chosen). */
const maxInTurn = 16

export function openLoopClock(clock: () => number): LoopClock {
  let begunAt: number | undefined

  function endTurn(): void {
    begunAt = undefined
  }

  return {
    isLate() {
      if (begunAt !== undefined) return clock() - begunAt > maxTurn
      begunAt = clock()
      setImmediate(endTurn)
      return false
    },
    eachTurn(act) {
      let isOver = false
      /** Counted from the first call: what is received before it may take any time. */
      let end: number | undefined

      function serve(): void {
        end ??= clock() + maxServing
        if (!isOver && clock() < end) isOver = !act()
      }

      function serveTurn(): void {
        end = undefined
        for (let number = 0; number < maxInTurn; number += 1) setImmediate(serve)
        setImmediate(() => {
          if (!isOver) serveTurn()
        })
      }

      serveTurn()
    },
  }
}
