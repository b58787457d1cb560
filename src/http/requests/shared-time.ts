/** Time that is divided equally among all who count it at the moment: together they count no more than has passed. */
export interface SharedTime {
  /** Begins to count; the function that it returns ends that, and returns the milliseconds. */
  begin(): () => number
}

export function openSharedTime(clock: () => number): SharedTime {
  /** Milliseconds that one has counted who has counted all the time. */
  let each = 0
  let counting = 0
  let at = clock()

  function advance(change: 1 | -1): number {
    const now = clock()
    if (counting > 0) each += (now - at) / counting
    at = now
    counting += change
    return each
  }

  return {
    begin() {
      const begun = advance(1)
      return () => advance(-1) - begun
    },
  }
}
