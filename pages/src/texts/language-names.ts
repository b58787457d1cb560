import { presentLanguage } from './texts.ts'

/** The name of a language in that of the person; its tag where it has none. */
export function nameOfLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(presentLanguage(), { type: 'language' }).of(tag) ?? tag
  } catch {
    // A file may call anything a language.
    return tag
  }
}
