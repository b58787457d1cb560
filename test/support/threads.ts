import { onTestFinished } from 'vitest'

/** Counts the threads that this process begins from now on, to the end of the test. */
export function countThreads(onBegun: () => void = () => undefined): { readonly begun: number } {
  let begun = 0
  const count = () => {
    begun += 1
    onBegun()
  }
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))
  return {
    get begun() {
      return begun
    },
  }
}
