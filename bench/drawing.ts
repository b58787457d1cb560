/** The ratios as bars, drawn from the floor: to the right what is faster, to the left what is slower. */

import type { Result } from './result.ts'
import { format } from './table.ts'

const width = 860
const rowHeight = 26
const top = 56
const left = 290
const right = 150
/** The scale is logarithmic: twice as fast is as far from the floor as half as fast. */
const [least, most] = [1 / 8, 64]

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .axis { font-size: 11px; fill: #656d76; }
  .grid { stroke: #d0d7de; }
  .floor { stroke: #1f2328; stroke-width: 1.5; }
  .met { fill: #2f7d4f; }
  .missed { fill: #b4552d; }
  .goal { stroke: #1f2328; stroke-width: 2.5; }
  .range { stroke: #656d76; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .axis { fill: #9198a1; }
    .grid { stroke: #3d444d; }
    .floor, .goal { stroke: #e6edf3; }
    .met { fill: #57ab7a; }
    .missed { fill: #d9824f; }
    .range { stroke: #9198a1; }
  }
`

export function draw(results: readonly Result[]): string {
  const bars = results.filter(({ unit, value }) => unit.startsWith('×') && value !== undefined)
  const bottom = top + bars.length * rowHeight
  const title = 'Cartulary: times the throughput of bare node:http with SQLite'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom + 44}" viewBox="0 0 ${width} ${bottom + 44}" role="img" aria-label="${title}">`,
    `<style>${style}</style>`,
    `<text x="12" y="24" font-weight="600">${title}</text>`,
    ...ticks(bottom),
    ...bars.flatMap((result, index) => bar(result, top + index * rowHeight)),
    `<text class="axis" x="12" y="${bottom + 34}">Thick tick: the goal. Thin line: the least and the most of all rounds. “of 1,000” is against a database of 1,000 groups.</text>`,
    '</svg>\n',
  ].join('\n')
}

function ticks(bottom: number): string[] {
  return [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32, 64].flatMap((value) => [
    `<line class="${value === 1 ? 'floor' : 'grid'}" x1="${at(value)}" x2="${at(value)}" y1="${top - 6}" y2="${bottom}"/>`,
    `<text class="axis" x="${at(value)}" y="${bottom + 14}" text-anchor="middle">${value === 1 ? 'floor' : value < 1 ? `1/${1 / value}` : value}</text>`,
  ])
}

function bar({ name, unit, value, least: low, most: high, goal, verdict }: Result, y: number): string[] {
  const [from, to] = [at(Math.min(1, value!)), at(Math.max(1, value!))]
  const middle = y + 9
  const reference = unit === '× floor' ? '×' : '× of 1,000'
  return [
    `<text x="${left - 12}" y="${y + 14}" text-anchor="end">${escapeText(name)}</text>`,
    `<rect class="${verdict}" x="${from}" y="${y + 2}" width="${Math.max(1, to - from)}" height="14" rx="2"/>`,
    `<line class="range" x1="${at(low!)}" x2="${at(high!)}" y1="${middle}" y2="${middle}"/>`,
    `<line class="goal" x1="${at(goal)}" x2="${at(goal)}" y1="${y}" y2="${y + 18}"/>`,
    `<text x="${width - right + 14}" y="${y + 14}">${format(value!)} ${reference}</text>`,
  ]
}

/** Where a ratio is, from the left. */
function at(ratio: number): number {
  const share = Math.log(Math.min(most, Math.max(least, ratio)) / least) / Math.log(most / least)
  return Math.round((left + share * (width - left - right)) * 10) / 10
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
