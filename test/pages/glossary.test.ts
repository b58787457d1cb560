import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readTexts } from '../../pages/build/checked-texts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const
type Language = (typeof languages)[number]

interface Text {
  key: string
  texts: Record<Language, string>
}

const files = languages.map((language) => readTexts(join(root, 'pages/src/texts'), language))
/** Texts of all rooms, with keys such as people/roles.note. */
const texts: Text[] = Object.entries(files[0]!).flatMap(([room, english]) =>
  Object.keys(english)
    // Words by which people look for an operation are not shown: they may be any.
    .filter((name) => !name.startsWith('also_'))
    .map((name) => ({
      key: `${room}.${name}`,
      texts: Object.fromEntries(languages.map((language, at) => [language, files[at]![room]![name]])) as Text['texts'],
    })),
)

/** Forms of each term by language, from the table of the glossary. */
const terms: Record<Language, string[]>[] = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => {
    const cells = line.split('|').slice(1, -1)
    return Object.fromEntries(
      languages.map((language, index) => [
        language,
        (cells[index] ?? '').split('/').map((form) => form.trim().replace('…', '')),
      ]),
    ) as Record<Language, string[]>
  })

/** Texts that do without a term, by term, languages and keys. */
const exceptions: { term: string; languages: string; keys: string[]; reason: string }[] = [
  {
    term: 'guest',
    languages: 'fr es',
    keys: ['collaborations.invite', 'operations.inviteParticipant'],
    reason: 'to invite a guest would be inviter un invité, invitar a un invitado',
  },
  {
    term: 'tag',
    languages: 'ar',
    keys: ['files/export.languageOfTitlesText'],
    reason: 'a language tag is a code, not a tag of an item',
  },
  {
    term: 'accept',
    languages: 'ja',
    keys: ['people/roles.noEffect'],
    reason: 'a privilege is accepted, not an invitation',
  },
  {
    term: 'log',
    languages: 'de fr es ar',
    keys: ['palette.signOut'],
    reason: 'who looks for "log out" signs out',
  },
]

/** Synonyms that the glossary decided against, by language. */
const wrong: Record<Language, RegExp[]> = {
  en: [
    /tak(e|en|es) (it |an invitation )?back/,
    /put (both )?together/,
    /waits for/,
    /categoris/,
    /colour/,
    /\banew\b/,
    /at once/,
    /\blog in\b/,
  ],
  de: [
    /eigentümer/,
    /\brechte?n?\b/,
    /zurücknehm|zurückgenommen/,
    /\bper mail\b/,
    /gegenwärtig/,
    /vorläufig/,
    /reihenfolge(?! unter)/,
  ],
  fr: [/réglages/, /rétablir une version/, /\barbres?\b/, /provisoire/, /inviter un partenaire/, /réuni/],
  es: [/línea de órdenes/, /\bajustes\b/, /gestionar/, /invitar a un socio/, /reunir|reunid/],
  ja: [/カテゴリ スキーマ/, /カテゴリー/, /承諾/, /応答ファイル/, /条件を/, /利用者/, /コンマ/],
  ar: [/مرشحات/, /سحب/, /امتياز/, /محارف/],
}

/** The words of a message, without placeholders and selectors of plural forms, and without Arabic vowel signs. */
function wordsOf(message: string): string {
  return message
    .replace(/\{\w+(, number)?\}|\{\w+, plural,/g, '')
    .replace(/[\u064b-\u0652]/g, '')
    .toLowerCase()
}

/** Whether an English text has a form of a term as a whole word. */
function hasWord(message: string, forms: string[]): boolean {
  return forms.some((form) => new RegExp(`\\b${form}\\b`).test(wordsOf(message)))
}

test('the glossary has a word for every term in every language', () => {
  expect(terms.length).toBeGreaterThanOrEqual(40)
  expect(
    terms.flatMap((term) => languages.flatMap((language) => term[language])).filter((form) => form === ''),
  ).toEqual([])
})

test.each(terms.map((term) => [term.en[0] ?? '', term] as const))(
  '%s has its word wherever the English text has it',
  (name, term) => {
    const found = texts.filter((text) => hasWord(text.texts.en, term.en))
    expect(found).not.toEqual([])
    const missing = found.flatMap(({ key, texts: byLanguage }) =>
      languages
        .filter((language) => language !== 'en')
        .filter(
          (language) => !term[language].some((form) => wordsOf(byLanguage[language]).includes(form.toLowerCase())),
        )
        .map((language) => `${language} ${key}`),
    )
    const allowed = exceptions
      .filter((exception) => exception.term === name)
      .flatMap((exception) =>
        exception.keys.flatMap((key) => exception.languages.split(' ').map((language) => `${language} ${key}`)),
      )
    expect(missing.sort()).toEqual(allowed.sort())
  },
)

test.each(languages)('no text uses a synonym that the glossary decided against: %s', (language) => {
  const found = texts.flatMap(({ key, texts: byLanguage }) =>
    wrong[language]
      .filter((synonym) => synonym.test(wordsOf(byLanguage[language])))
      .map((synonym) => `${key}: ${synonym.source} in ${byLanguage[language]}`),
  )
  expect(found).toEqual([])
})
