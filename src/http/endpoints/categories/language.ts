import { type Parameter, Wrong } from '../parameter-types.ts'

const maxTagLength = 35

/** A language tag (RFC 5646), such as `de` or `en-GB`. */
export function optionalLanguage(meaning: string): Parameter<string | undefined> {
  return {
    type: 'string',
    isRequired: false,
    meaning,
    maxLength: maxTagLength,
    read(given) {
      const language = given?.trim()
      if (!language) return undefined
      if (language.length <= maxTagLength && isLanguageTag(language)) return language
      return new Wrong('has to be a language tag, such as de or en-GB.')
    },
  }
}

/** Whether the tag is well-formed, as RDF requires it of the files that have it. */
function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
