/** Milliseconds between the moments at which a foreign search, and what is alike, may be answered (contract). */
const stepMilliseconds = 25

/**
 * Milliseconds by which a timer may be late (observed): it ends when whole milliseconds have passed since the thread was busy last,
 * so how late it is would tell when that was.
 */
const timerLateness = 1.2

/** Resolves at the next of moments at equal distances from the beginning of what is done: its end is seen by none but the moment. */
export type NextStep = () => Promise<void>

export function beginSteps(): NextStep {
  const begun = performance.now()
  return () => {
    const passed = Math.floor((performance.now() - begun) / stepMilliseconds)
    return waitUntil(begun + (passed + 1) * stepMilliseconds)
  }
}

/** Waits by a timer for most of the time, and then by turns of the event loop, in which others are answered. */
async function waitUntil(moment: number): Promise<void> {
  for (let left = moment - performance.now(); left > 0; left = moment - performance.now()) {
    if (left < timerLateness + 1) await new Promise((resolve) => setImmediate(resolve))
    else await sleep(left - timerLateness)
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      clearInterval(timer)
      resolve()
    }, milliseconds)
  })
}
