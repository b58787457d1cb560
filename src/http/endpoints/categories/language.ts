import { type Parameter, Wrong } from '../parameter-types.ts'

const tag = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i
const longestTag = 35

/** A language tag (RFC 5646), such as `de` or `en-GB`. */
export function optionalLanguage(meaning: string): Parameter<string | undefined> {
  return {
    type: 'string',
    isRequired: false,
    meaning,
    maxLength: longestTag,
    read(given) {
      const language = given?.trim()
      if (!language) return undefined
      if (language.length <= longestTag && tag.test(language)) return language
      return new Wrong('has to be a language tag, such as de or en-GB.')
    },
  }
}
