import type { Schedule } from './model/due-work.ts'

/** Once the next frame is painted. */
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

/** A quarter of a second later (chosen): a draft is stored a few times a second, however fast a person types. */
export const afterPause: Schedule = (work) => {
  const timer = setTimeout(work, 250)
  return () => clearTimeout(timer)
}
