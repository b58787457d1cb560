/** The languages of the application, by their own names. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  ar: 'العربية',
} as const

export type Language = keyof typeof languageNames

/** Languages that are written from right to left. */
const fromTheRight: ReadonlySet<Language> = new Set(['ar'])

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return fromTheRight.has(language) ? 'rtl' : 'ltr'
}

/** The first of the wanted languages that there is, or English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0]!
    if (language in languageNames) return language as Language
  }
  return 'en'
}
