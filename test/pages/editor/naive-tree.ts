import type { Node, Trees } from '../../../pages/src/editor/model/node.ts'
import type { Step, Target } from '../../../pages/src/editor/model/places.ts'

/** Edits of the editor on a list of lines with indents, as a person would do them with scissors. */

export interface Line {
  readonly key: string
  readonly level: number
  title: string
}

export function linesOf(trees: Trees, level = 1): Line[] {
  return trees.flatMap(({ key, title, below }: Node) => [
    { key, level, title: title ?? '' },
    ...linesOf(below, level + 1),
  ])
}

/** Lines from a category on that are below it. */
function blockAt(lines: readonly Line[], at: number): readonly Line[] {
  const end = lines.findIndex(({ level }, next) => next > at && level <= lines[at]!.level)
  return lines.slice(at, end === -1 ? undefined : end)
}

function indexOf(lines: readonly Line[], key: string): number {
  return lines.findIndex((line) => line.key === key)
}

export function insertLines(lines: readonly Line[], block: readonly Line[], target: Target): Line[] {
  const shifted = (level: number) => block.map((line) => ({ ...line, level: line.level - block[0]!.level + level }))
  if (target.where === 'end') return [...lines, ...shifted(1)]
  const at = indexOf(lines, target.key)
  const { level } = lines[at]!
  const end = at + blockAt(lines, at).length
  if (target.where === 'before') return [...lines.slice(0, at), ...shifted(level), ...lines.slice(at)]
  const own = shifted(target.where === 'after' ? level : level + 1)
  return [...lines.slice(0, end), ...own, ...lines.slice(end)]
}

export function removeLines(lines: readonly Line[], key: string): Line[] {
  const at = indexOf(lines, key)
  const { length } = blockAt(lines, at)
  return [...lines.slice(0, at), ...lines.slice(at + length)]
}

export function moveLines(lines: readonly Line[], key: string, target: Target): Line[] {
  const block = blockAt(lines, indexOf(lines, key))
  if (target.where !== 'end' && block.some((line) => line.key === target.key)) return [...lines]
  return insertLines(removeLines(lines, key), block, target)
}

/** Lines before the one that a step begins with, and where it leads. */
export function stepLines(lines: readonly Line[], key: string, step: Step): Line[] {
  const at = indexOf(lines, key)
  const { level } = lines[at]!
  const parentAt = lines.findLastIndex((line, before) => before < at && line.level === level - 1)
  const previous = lines.findLast((line, before) => before < at && before > parentAt && line.level === level)
  const next = lines[at + blockAt(lines, at).length]
  if (step === 'out')
    return level === 1 ? [...lines] : moveLines(lines, key, { where: 'after', key: lines[parentAt]!.key })
  if (step === 'down')
    return next?.level === level ? moveLines(lines, key, { where: 'after', key: next.key }) : [...lines]
  if (!previous) return [...lines]
  return moveLines(lines, key, { where: step === 'up' ? 'before' : 'inside', key: previous.key })
}

/** Counts of the lines. */
export function countLines(lines: readonly Line[]) {
  return {
    trees: lines.filter(({ level }) => level === 1).length,
    levels: Math.max(0, ...lines.map(({ level }) => level)),
    categories: lines.length,
  }
}
