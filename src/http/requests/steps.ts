/** Milliseconds between the moments at which a foreign search, and what is alike, may be answered (contract). */
const stepMilliseconds = 25

/** Moments at equal distances from the beginning of what is done, so that its end is seen by none but the step. */
export interface Steps {
  /** Resolves at the next moment, which is the last. */
  next(): Promise<void>
  end(): void
}

/** A timer that runs from the beginning: one that is set at the end would tell fractions of a millisecond. */
export function openSteps(): Steps {
  let pass: (() => void) | undefined
  const timer = setInterval(() => {
    if (pass) clearInterval(timer)
    pass?.()
  }, stepMilliseconds)
  return {
    next: () =>
      new Promise((resolve) => {
        pass = resolve
      }),
    end: () => clearInterval(timer),
  }
}
