import { setPriority } from 'node:os'

/** Whether a thread has a priority of its own; elsewhere, it has that of the process. */
export const hasOwnPriority = process.platform === 'linux'

/** Lets other threads go before this one: more often from 1 on, and whenever they have something to do at 19. */
export function giveWay(niceness: number): void {
  if (!hasOwnPriority) return
  try {
    setPriority(niceness)
  } catch {
    // A sandbox may refuse it.
  }
}
