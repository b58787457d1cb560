/** Characters that people type one after the other: the alphabet, and rows of keyboards. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
]

/** Pairs of neighbours, in both directions. */
const neighbours: ReadonlySet<string> = new Set(
  rows.flatMap((row) =>
    [...row].slice(1).flatMap((letter, place) => [`${row[place]}${letter}`, `${letter}${row[place]}`]),
  ),
)

const maxUnitLength = 4
const shortestRun = 3

/**
 * Whether a password is a few characters again and again, or nothing but runs of equal or neighbouring ones, such as 1234qwer, also
 * with something between them. Case does not matter.
 */
export function isSequence(password: string): boolean {
  const characters = [...password.toLowerCase()]
  const letters = characters.filter((character) => /[\p{L}\p{N}]/u.test(character))
  const isMostlyLetters = letters.length > characters.length / 2
  return isWeak(characters) || (isMostlyLetters && isWeak(letters))
}

function isWeak(characters: readonly string[]): boolean {
  return isRepetition(characters) || runsOf(characters).every((length) => length >= shortestRun)
}

function isRepetition(characters: readonly string[]): boolean {
  for (let unit = 1; unit <= Math.min(maxUnitLength, characters.length / 2); unit += 1) {
    if (characters.every((character, place) => character === characters[place % unit])) return true
  }
  return false
}

/** Lengths of the parts in which each character equals the one before, or is its neighbour. */
function runsOf(characters: readonly string[]): readonly number[] {
  const runs: number[] = []
  for (const [place, character] of characters.entries()) {
    const before = characters[place - 1]
    const isContinued = before !== undefined && (before === character || neighbours.has(before + character))
    if (isContinued) runs[runs.length - 1]! += 1
    else runs.push(1)
  }
  return runs
}
