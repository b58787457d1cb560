/** Processor time and memory of a process, as Linux reports them. */
import { readFileSync } from 'node:fs'

export interface Process {
  readonly pid: number
  /** Whether its children are counted too, as PostgreSQL has one for each connection. */
  readonly hasChildren?: true
}

/** Processor time that a process has used, in microseconds; undefined where the system does not report it. */
export function processorTime({ pid, hasChildren }: Process): number | undefined {
  const fields = readStat(pid)
  if (fields === undefined) return undefined
  const own = ticksOf(fields, 11)
  return (hasChildren ? own + ticksOf(fields, 13) + ticksOfChildren(pid) : own) * microsecondsOfTick
}

/** Clock tick that Linux uses in /proc: hundredths of a second. */
const microsecondsOfTick = 10_000

/** User and system time together. */
function ticksOf(fields: readonly string[], at: 11 | 13): number {
  return Number(fields[at]) + Number(fields[at + 1])
}

/** Ticks of the children that still run; ended ones are counted in the fields of their parent. */
function ticksOfChildren(pid: number): number {
  const children = readProcess(pid, `task/${pid}/children`)?.trim().split(' ') ?? []
  return children.reduce((sum, child) => {
    const fields = readStat(Number(child))
    return fields === undefined ? sum : sum + ticksOf(fields, 11)
  }, 0)
}

/** Fields after the name of the program. */
function readStat(pid: number): readonly string[] | undefined {
  const text = readProcess(pid, 'stat')
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Resident bytes of a process; undefined where the system does not report them. */
export function residentBytes({ pid }: Process): number | undefined {
  const text = readProcess(pid, 'status')
  return text === undefined ? undefined : Number(/VmRSS:\s+(\d+) kB/.exec(text)![1]) * 1024
}

/** Bytes that are in no file, shared ones divided by the number of processes; undefined where the system does not report them. */
export function ownBytes({ pid }: Process): number | undefined {
  const text = readProcess(pid, 'smaps')
  if (text === undefined) return undefined
  // A mapping begins with its addresses, rights, offset, device and inode, which is 0 where there is no file.
  const mappings = text.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
  return mappings.reduce((sum, mapping) => {
    const [, , , , inode] = mapping.split(/\s+/, 5)
    return inode === '0' ? sum + Number(/^Pss:\s+(\d+) kB/m.exec(mapping)?.[1] ?? 0) * 1024 : sum
  }, 0)
}

function readProcess(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
