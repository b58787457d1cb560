/** What is printed. */

import { statfsSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { isPinned } from './cores.ts'
import type { Peer } from './peers.ts'
import type { Result, Run } from './result.ts'

export function describeMachine({ rounds, milliseconds }: Run): string {
  const cores = availableParallelism()
  const pinned = isPinned
    ? 'servers and load on a core each'
    : 'servers and load not kept apart: that takes two cores and taskset'
  return [
    `${cpus()[0]?.model.trim() ?? 'Unknown processor'}, ${cores} cores, Node ${process.versions.node}; ${pinned}.`,
    `Medians of ${rounds} rounds of ${milliseconds / 1000} s, with the least and the most of them.`,
    ...(isInMemory(tmpdir())
      ? [`${tmpdir()} is in memory, where no disk is waited for: set TMPDIR to a folder on a disk.`]
      : []),
  ].join('\n')
}

/** Of tmpfs, as Linux tells it. */
const tmpfs = 0x01021994

function isInMemory(path: string): boolean {
  return process.platform === 'linux' && statfsSync(path).type === tmpfs
}

export function printResult({
  name,
  goal,
  direction,
  unit,
  value,
  least,
  most,
  parts,
  verdict,
  remark,
  reached,
}: Result): void {
  const sign = direction === 'at least' ? '≥' : '≤'
  const cells = [
    name.padEnd(44),
    value === undefined
      ? ''.padStart(24)
      : `${format(value).padStart(7)} (${format(least!)} to ${format(most!)})`.padEnd(24),
    unit.padEnd(14),
    `${sign} ${goal}`.padEnd(6),
    verdict.padEnd(12),
    parts ? `${count(parts.service)} against ${count(parts.floor)} per second` : '',
  ]
  console.log(cells.join(' ').trimEnd())
  if (remark) console.log(`  ${remark}`)
  if (verdict === 'missed' && reached) console.log(`  ${reached.because}`)
}

export function printPeers(peers: readonly Peer[]): void {
  const heads = ['writes/s', '× floor', '× ours', 'p99 ms', 'reads/s', '× floor', '× ours', 'p99 ms', 'idle MB']
  console.log(tabulate('', [...heads, 'packages', 'MB']))
  for (const { name, writes, reads, idleMegabytes, packages, installedMegabytes, remark } of peers) {
    if (writes && reads) {
      const speeds = [writes, reads].flatMap(({ perSecond, timesFloor, timesCartulary, p99 }) => [
        count(perSecond),
        format(timesFloor),
        format(timesCartulary),
        format(p99),
      ])
      console.log(tabulate(name, [...speeds, ...[idleMegabytes, packages, installedMegabytes].map(String)]))
    } else console.log(`${name} is not measured: ${remark}`)
  }
  for (const { name, promise } of peers) console.log(`${name}: ${promise}.`)
}

function tabulate(name: string, cells: readonly string[]): string {
  return [name.padEnd(20), ...cells.map((cell) => cell.padStart(9))].join(' ')
}

export function format(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0)
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}
