import { fold } from '../../../src/search/folding.ts'

/** Scripts without blanks between words. */
const withoutBlanks = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Whether a text has a word that begins like this. Without DOM. */
export function hasWord(text: string, word: string): boolean {
  const [folded, wanted] = [fold(text), fold(word)]
  if (wanted === '') return false
  return withoutBlanks.test(wanted)
    ? folded.includes(wanted)
    : folded.split(/[^\p{L}\p{M}\p{N}]+/u).some((part) => part.startsWith(wanted))
}
