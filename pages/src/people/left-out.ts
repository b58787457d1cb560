import { leavingOut } from '../../../src/directory/membership.ts'

export type Hindrance = keyof typeof leavingOut

/** A person who was not added or invited. */
export interface LeftOut {
  readonly username: string
  /** Undefined if the sentence of the server is none that is known here. */
  readonly hindrance: Hindrance | undefined
  readonly sentence: string
}

/** People left out, from the answer of an operation: the usernames, and a sentence for each of them. Without DOM. */
export function readLeftOut(usernames: readonly string[], sentences: readonly string[] = []): readonly LeftOut[] {
  return usernames.map((username, at) => {
    const sentence = sentences[at] ?? ''
    const reason = sentence.startsWith(`${username} `) ? sentence.slice(username.length + 1) : sentence
    const known = Object.keys(leavingOut) as readonly Hindrance[]
    return { username, sentence, hindrance: known.find((name) => leavingOut[name] === reason) }
  })
}
