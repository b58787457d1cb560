import type { Schedule } from './model/due-work.ts'

/** Runs work once the next frame is painted. */
export const afterFrame: Schedule = (work) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** Runs work a quarter of a second later (chosen): limits how often a draft is stored while a person types. */
export const afterPause: Schedule = (work) => {
  const timer = setTimeout(work, 250)
  return () => clearTimeout(timer)
}
