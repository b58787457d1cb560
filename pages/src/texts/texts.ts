import { IntlMessageFormat } from 'intl-messageformat'
import { Changes } from '../state/changes.ts'
import { isolate } from './bidi.ts'
import { chooseLanguage, directionOf, type Language } from './languages.ts'

/** The texts of one room in one language: ICU messages by their keys. */
type Messages = Readonly<Record<string, string>>

/** What `import.meta.glob('./texts/*.json')` gives. */
type MessageFiles = Readonly<Record<string, () => Promise<unknown>>>

/** Values of the arguments of a message. */
export type MessageValues = Readonly<Record<string, string | number | Date>>

const storageKey = 'cartulary.language'
const changes = new Changes()
const rooms: Room[] = []
let language = chooseLanguage([window.localStorage.getItem(storageKey) ?? '', ...navigator.languages])

interface Room {
  readonly files: MessageFiles
  language?: Language
  messages: Messages
  readonly formats: Map<string, IntlMessageFormat>
}

/**
 * The texts of a room: `const t = defineTexts<typeof import('./texts/en.json')>(import.meta.glob('./texts/*.json'))`. The function
 * formats the message of a key in the language of the person. It may be called once `textsLoaded()` is fulfilled, which
 * the frame waits for before it shows a screen.
 */
export function defineTexts<Texts>(files: MessageFiles): (key: keyof Texts & string, values?: MessageValues) => string {
  const room: Room = { files, messages: {}, formats: new Map() }
  rooms.push(room)
  return (key, values) => formatMessage(room, key, values)
}

function formatMessage(room: Room, key: string, values: MessageValues | undefined): string {
  const message = room.messages[key]
  if (message === undefined) throw new Error(`The text ${key} is not loaded.`)
  // A message without arguments and escapes is what it says.
  if (!/[{'#]/.test(message)) return message
  let format = room.formats.get(key)
  if (!format) {
    format = new IntlMessageFormat(message, room.language, undefined, { ignoreTag: true })
    room.formats.set(key, format)
  }
  return format.format(values && isolateAll(values, directionOf(room.language!))) as string
}

function isolateAll(values: MessageValues, direction: 'ltr' | 'rtl'): MessageValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? isolate(value, direction) : value,
    ]),
  )
}

/** Fulfilled when all rooms that are loaded have their texts in the present language. */
export async function textsLoaded(): Promise<void> {
  const wanted = language
  await Promise.all(
    rooms
      .filter((room) => room.language !== wanted)
      .map(async (room) => {
        const { default: messages } = (await room.files[`./texts/${wanted}.json`]!()) as { readonly default: Messages }
        if (language !== wanted) return
        room.formats.clear()
        room.messages = messages
        room.language = wanted
      }),
  )
  if (language !== wanted) return textsLoaded()
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
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
  changes.emit()
}

/** Calls back after each change of the language; answers the function that ends this. */
export function watchLanguage(listener: () => void): () => void {
  return changes.watch(listener)
}
