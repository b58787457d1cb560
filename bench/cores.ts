/** Core assignment: servers on one core, the load on another, so that neither takes the other's time. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Cores as `taskset` names them, read before this process moves to one of them. */
const all = findCores()
const [first, second] = all?.split(',').flatMap(listRange) ?? []

export const isPinned = second !== undefined && hasTaskset()

/** `first` is the server's; the load is on `second`. */
export type Cores = 'first' | 'second' | 'all'

/** Arguments that precede the command of a process to run it on those cores. */
export function onCores(cores: Cores): string[] {
  return isPinned ? ['taskset', '-c', String({ first, second, all }[cores])] : []
}

/** Moves this process, with all its threads, to those cores. */
export function pinLoad(cores: Cores): void {
  if (!isPinned) return
  const list = String({ first, second, all }[cores])
  execFileSync('taskset', ['-apc', list, String(process.pid)], { stdio: 'ignore' })
}

function findCores(): string | undefined {
  try {
    return /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

function listRange(range: string): number[] {
  const [from, to = from] = range.split('-').map(Number)
  return Array.from({ length: to! - from! + 1 }, (_, index) => from! + index)
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-c', String(first), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
