import type { Change, Diff } from './change.ts'

/** A diff for people: a line for each change, and one with the sums. */
export function formatDiff({ summary, changes }: Diff): string {
  const sums = Object.entries(summary).map(([name, count]) => `${count} ${name}`)
  return [...changes.map(formatChange), sums.join(', ')].map((line) => `${line}\n`).join('')
}

function formatChange(change: Change): string {
  const path = visible(change.path)
  switch (change.op) {
    case 'add':
      return `+ add ${path}${counted(change)}${change.copyOf === undefined ? '' : `, copy of ${visible(change.copyOf)}`}`
    case 'remove':
      return `- remove ${path}${counted(change)}`
    case 'rename':
    case 'move':
    case 'merge':
      return `> ${change.op} ${path} to ${visible(change.to)}${counted(change)}${change.declared ? '' : ', items stay'}`
    case 'change': {
      const members = [change.description && 'description', change.source && 'source'].filter(Boolean)
      return `~ change ${path}: ${members.join(', ')}`
    }
    case 'reorder':
      return `^ reorder ${path} from position ${change.from + 1} to ${change.to + 1}`
  }
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
