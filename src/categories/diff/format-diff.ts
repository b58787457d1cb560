import { type Change, type Diff, positionOf } from './change.ts'

/** A diff for people: a line for each change, two for a rename that is reordered, and one with the sums. */
export function formatDiff({ summary, changes }: Diff): string {
  const sums = Object.entries(summary).map(([name, count]) => `${count} ${name}`)
  return [...changes.flatMap(formatChange), sums.join(', ')].map((line) => `${line}\n`).join('')
}

function formatChange(change: Change): string | readonly string[] {
  const path = visible(change.path)
  switch (change.op) {
    case 'add':
      return `+ add ${path}${counted(change)}${change.copyOf === undefined ? '' : `, copy of ${visible(change.copyOf)}`}`
    case 'remove':
      return `- remove ${path}${counted(change)}`
    case 'rename':
    case 'move':
    case 'merge': {
      const to = visible(change.to)
      const line = `> ${change.op} ${path} to ${to}${counted(change)}${change.declared ? '' : ', items stay'}`
      return 'reordered' in change
        ? [line, formatOrder(to, positionOf(change.pointer), positionOf(change.toPointer))]
        : line
    }
    case 'change': {
      const members = [change.description && 'description', change.source && 'source'].filter(Boolean)
      return `~ change ${path}: ${members.join(', ')}`
    }
    case 'reorder':
      return formatOrder(path, change.from, change.to)
  }
}

function formatOrder(path: string, from: number, to: number): string {
  return `^ reorder ${path} from position ${from + 1} to ${to + 1}`
}

function counted({ categories }: { readonly categories: number }): string {
  return categories > 1 ? ` (${categories} categories)` : ''
}

/** The text with each control and format character, such as those that turn the direction of writing, as `\u202e`. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
