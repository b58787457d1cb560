/**
 * Reports an event that may come thousands of times a second: the first immediately, later ones as a number, at most once in
 * `milliseconds`. The clock is the caller's.
 */
export function summarize(milliseconds: number, report: (times: number) => void): (now: number) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  let times = 0
  return (now) => {
    times += 1
    // A clock that was set back reports too.
    if (Math.abs(now - reportedAt) < milliseconds) return
    report(times)
    reportedAt = now
    times = 0
  }
}
