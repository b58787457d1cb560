/** Languages of what the server writes for people: its pages of sign-in, templates, sample content. */
const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const

export type Language = (typeof languages)[number]

export function isLanguage(text: string): text is Language {
  return (languages as readonly string[]).includes(text)
}

/** The first of the wanted languages that there is, or English. */
export function chooseLanguage(wanted: readonly (string | undefined)[]): Language {
  for (const tag of wanted) {
    const language = tag?.toLowerCase().split(/[-_]/)[0]
    if (language !== undefined && isLanguage(language)) return language
  }
  return 'en'
}

/** Texts of one language by their keys, in the order of the table. */
export type Texts = ReadonlyMap<string, string>

/** Reads a table of texts: a line for each, with its key and the languages in their order, as `water | Water | Wasser | Eau | …`. */
export function readTexts(table: string, language: Language): Texts {
  const lines = table.trim().split('\n')
  const cells = lines.map((line) => line.split(' | '))
  return new Map(cells.map(([key, ...texts]) => [key!, texts[languages.indexOf(language)]!]))
}
