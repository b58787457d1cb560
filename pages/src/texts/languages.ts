import type { Language } from '../../../src/languages.ts'

/** The languages of the application, by their own names. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  ar: 'العربية',
} as const satisfies Readonly<Record<Language, string>>

/** Languages that are written from right to left. */
const fromTheRight: ReadonlySet<Language> = new Set(['ar'])

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return fromTheRight.has(language) ? 'rtl' : 'ltr'
}

/**
 * Tag of a language with the region of the browser, for dates and hours: the first wanted tag of that language with a region,
 * otherwise the language with the first region of any.
 */
export function regionalTag(language: Language, wanted: readonly string[]): string {
  const locales = wanted.flatMap((tag) => {
    try {
      return [new Intl.Locale(tag)]
    } catch {
      return []
    }
  })
  const regional = locales.filter(({ region }) => region !== undefined)
  const region = (regional.find((locale) => locale.language === language) ?? regional[0])?.region
  return region === undefined ? language : `${language}-${region}`
}
