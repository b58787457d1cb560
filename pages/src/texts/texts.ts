import { textFiles } from 'virtual:text-files'
import { IntlMessageFormat } from 'intl-messageformat'
import { chooseLanguage, type Language } from '../../../src/languages.ts'
import { Changes } from '../state/changes.ts'
import { ownName } from '../state/own-name.ts'
import { isolate } from './bidi.ts'
import type { Room, TextKey } from './keys.ts'
import { directionOf } from './languages.ts'

/** Values of the arguments of a message. */
export type MessageValues = Readonly<Record<string, string | number | Date>>

/** The texts that are shown: those of a language, by room and key. */
interface Shown {
  readonly language: Language
  /** Whether it has the texts of all screens, not of the first one alone. */
  readonly isWhole: boolean
  readonly rooms: Awaited<ReturnType<(typeof textFiles)[Language]['first']>>['default']
  /** Messages with arguments, by their texts, as far as they were needed. */
  readonly formats: Map<string, IntlMessageFormat>
}

/** Words of controls that Web Awesome renders, such as the button that closes a dialog; it has the English ones itself. */
const controlTexts: Partial<Record<Language, () => Promise<unknown>>> = {
  de: () => import('@awesome.me/webawesome/dist/translations/de.js'),
  fr: () => import('@awesome.me/webawesome/dist/translations/fr.js'),
  es: () => import('@awesome.me/webawesome/dist/translations/es.js'),
  ja: () => import('@awesome.me/webawesome/dist/translations/ja.js'),
  ar: () => import('@awesome.me/webawesome/dist/translations/ar.js'),
}

const storageKey = ownName('language')
/** Changes of the language. */
export const languageChanges = new Changes()
let language = chooseLanguage([window.localStorage.getItem(storageKey) ?? '', ...navigator.languages])
let shown: Shown | undefined
/** Whether a screen needs the texts of all screens. */
let needsAll = false

/**
 * The texts of a room: `const t = textsOf('people/roles')`. The function formats the message of a key in the language of the
 * person. It may be called once `textsLoaded()` is fulfilled, which the page waits for before it shows anything; those of
 * screens but the first, once `allTextsLoaded()` is.
 */
export function textsOf<Of extends Room>(room: Of): (key: TextKey<Of>, values?: MessageValues) => string {
  return (key, values) => {
    const message = shown?.rooms[room]?.[key]
    if (!shown || message === undefined) throw new Error(`The text ${room} ${key} is not loaded.`)
    // A message without arguments and escapes is what it says.
    return /[{'#]/.test(message) ? formatMessage(shown, message, values) : message
  }
}

/** Whether a room has a text of this key. */
export function hasText<Of extends Room>(room: Of, key: string): key is TextKey<Of> {
  return Object.hasOwn(shown?.rooms[room] ?? {}, key)
}

function formatMessage({ language, formats }: Shown, message: string, values: MessageValues | undefined): string {
  let format = formats.get(message)
  if (!format) {
    format = new IntlMessageFormat(message, language, undefined, { ignoreTag: true })
    formats.set(message, format)
  }
  return format.format(values && isolateAll(values, directionOf(language))) as string
}

function isolateAll(values: MessageValues, direction: 'ltr' | 'rtl'): MessageValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? isolate(value, direction) : value,
    ]),
  )
}

/** Fulfilled when the texts are those of the present language: of the frame and the first screen, and of all that were asked for. */
export async function textsLoaded(): Promise<void> {
  const wanted = language
  const isWhole = needsAll
  if (shown?.language !== wanted || shown.isWhole !== isWhole) {
    const { first, others } = textFiles[wanted]
    const [parts] = await Promise.all([
      Promise.all(isWhole ? [first(), others()] : [first()]),
      isWhole ? controlTexts[wanted]?.() : undefined,
    ])
    if (language !== wanted || needsAll !== isWhole) return textsLoaded()
    const rooms = Object.assign({}, ...parts.map((part) => part.default)) as Shown['rooms']
    shown = { language: wanted, isWhole, rooms, formats: new Map() }
  }
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

/** Loads the texts of all screens; from then on each language is loaded with them. */
export async function allTextsLoaded(): Promise<void> {
  needsAll = true
  await textsLoaded()
}

export function presentLanguage(): Language {
  return language
}

/** Shows the application in another language from now on, in this browser; the former one stays where texts do not load. */
export async function setLanguage(next: Language): Promise<void> {
  const former = language
  language = next
  try {
    await textsLoaded()
    window.localStorage.setItem(storageKey, next)
  } catch {
    if (language === next) language = former
    await textsLoaded().catch(() => {})
  }
  languageChanges.emit()
}
