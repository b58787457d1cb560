import { answers } from './answers.ts'
import { collaborations } from './collaborations.ts'
import { files } from './files.ts'
import { groups } from './groups.ts'
import { items } from './items.ts'
import { people } from './people.ts'
import { schemas } from './schemas.ts'
import { texts } from './texts.ts'
import { webhooks } from './webhooks.ts'

/**
 * Sentences of refusals and notes, by their codes. A code and the names in braces, which are those of its parameters, are part of
 * the API; the words are not. A parameter with `#` is a whole number.
 */
export const sentences = {
  ...answers,
  ...texts,
  ...people,
  ...groups,
  ...collaborations,
  ...items,
  ...schemas,
  ...files,
  ...webhooks,
}

export type Code = keyof typeof sentences

/** Names of the parameters of a sentence, as it has them. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Values of the parameters of a sentence. */
export type ParametersOf<Of extends Code> = {
  readonly [Name in NamesIn<(typeof sentences)[Of]> as Name extends `${infer Word}#`
    ? Word
    : Name]: Name extends `${string}#` ? number : string | number
}
