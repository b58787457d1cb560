/** Output of the benchmarks. */

import { statfsSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { isPinned } from './cores.ts'
import type { Cost, Result, Run } from './result.ts'

export function describeMachine({ rounds, milliseconds }: Run): string {
  const cores = availableParallelism()
  const pinned = isPinned
    ? 'servers and load on a core each'
    : 'servers and load not kept apart: that takes two cores and taskset'
  return [
    `${cpus()[0]?.model.trim() ?? 'Unknown processor'}, ${cores} cores, Node ${process.versions.node}; ${pinned}.`,
    `Medians of ${rounds} rounds of ${milliseconds / 1000} s, with the least and the most of them.`,
    ...(loadavg()[0]! > 0.5 ? [`Other programs are running: the load is ${loadavg()[0]!.toFixed(1)}.`] : []),
    ...(isInMemory(tmpdir())
      ? [`${tmpdir()} is in memory, where no disk is waited for: set TMPDIR to a folder on a disk.`]
      : []),
  ].join('\n')
}

/** Type number of tmpfs in Linux. */
const tmpfs = 0x01021994

function isInMemory(path: string): boolean {
  return process.platform === 'linux' && statfsSync(path).type === tmpfs
}

export function printResult(result: Result): void {
  const { name, unit, verdict, costs, remark } = result
  const cells = [name.padEnd(64), describeFigure(result).padStart(24), unit.padEnd(14), describeGoal(result).padEnd(6)]
  console.log([...cells, verdict].join(' ').trimEnd())
  for (const [server, cost] of Object.entries(costs ?? {})) console.log(`  ${server.padEnd(14)} ${describeCost(cost)}`)
  if (remark) console.log(`  ${remark}`)
}

/** Formats the results as a table of Markdown, and the costs of the servers as another one. */
export function formatMarkdown(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.name,
    `${describeFigure(result)} ${result.unit}`,
    describeGoal(result),
    result.verdict,
    result.remark ?? '',
  ])
  const costs = results.flatMap(({ name, costs = {} }) =>
    Object.entries(costs).map(([server, { microseconds, ofPostgres, perSecond }]) => [
      name.replace(/: (processor time|rate)$/, ''),
      server,
      ofPostgres === undefined ? microseconds.toFixed(0) : `${microseconds.toFixed(0)} + ${ofPostgres.toFixed(0)}`,
      count(perSecond),
    ]),
  )
  return [
    ...markdown(['measure', 'figure', 'goal', '', ''], rows),
    ...(costs.length === 0 ? [] : ['', ...markdown(['work', 'server', 'µs of processor time', 'per second'], costs)]),
  ].join('\n')
}

function markdown(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}

function describeFigure({ value, min, max }: Result): string {
  if (value === undefined) return ''
  return min === max ? format(value) : `${format(value)} (${format(min!)} to ${format(max!)})`
}

function describeGoal({ goal, direction }: Result): string {
  return goal === undefined ? '' : `${direction === 'at least' ? '≥' : '≤'} ${goal.toLocaleString('en')}`
}

function describeCost({ microseconds, ofPostgres, perSecond }: Cost): string {
  const postgres = ofPostgres === undefined ? '' : ` and ${format(ofPostgres)} of PostgreSQL`
  return `${format(microseconds).padStart(6)} µs of processor time${postgres}, ${count(perSecond)} per second`
}

function format(value: number): string {
  if (Number.isInteger(value)) return count(value)
  return Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(0)
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}
