import type { Language } from '../../languages.ts'
import { type Content, type Html, html } from '../pages/html.ts'
import ar from './texts/ar.json' with { type: 'json' }
import de from './texts/de.json' with { type: 'json' }
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }
import fr from './texts/fr.json' with { type: 'json' }
import ja from './texts/ja.json' with { type: 'json' }

/** Texts of the pages of sign-in by language: those of the application. */
const texts: Readonly<Record<Language, Readonly<Record<keyof typeof en, string>>>> = { en, de, fr, es, ja, ar }

export type TextKey = keyof typeof en

/** Languages by their own names. */
export const languages = (Object.keys(texts) as Language[]).map((language) => ({
  language,
  name: texts[language].languageName,
}))

/** Reasons that operations give for refusing a password: their sentences are the English texts. */
const reasons = [
  'samePassword',
  'passwordLength',
  'passwordIsCommon',
  'passwordIsSequence',
  'passwordIsUsername',
  'passwordIsOrganization',
  'passwordIsProgram',
] as const satisfies readonly TextKey[]

const placeholder = /\{(\w+)\}/

/** Texts of the pages in one language. */
export class PageTexts {
  readonly language: Language
  constructor(language: Language) {
    this.language = language
  }

  get direction(): 'ltr' | 'rtl' {
    return this.language === 'ar' ? 'rtl' : 'ltr'
  }

  /** A text without markup. */
  text(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
    const pieces = this.#piecesOf(key)
    return pieces.map((piece, position) => (position % 2 === 0 ? piece : String(values[piece]))).join('')
  }

  /** A text with markup in place of its names; what users wrote keeps its own direction. */
  markup(key: TextKey, values: Readonly<Record<string, Html | string>>): Html {
    const contentOf = (name: string): Content => {
      const value = values[name]
      return typeof value === 'string' ? html`<bdi>${value}</bdi>` : value
    }
    const pieces = this.#piecesOf(key)
    return html`${pieces.map((piece, position) => (position % 2 === 0 ? piece : contentOf(piece)))}`
  }

  /** The reason why an operation refuses a new password, in this language. */
  reason(sentence: string): string {
    if (this.language === 'en') return sentence
    for (const key of reasons) {
      const names = texts.en[key].split(placeholder)
      const pattern = names.map((piece, position) => (position % 2 === 0 ? RegExp.escape(piece) : '(.+)')).join('')
      const found = new RegExp(`^${pattern}$`).exec(sentence)
      if (!found) continue
      const values = names.filter((_piece, position) => position % 2 === 1).map((name, at) => [name, found[at + 1]!])
      return this.text(key, Object.fromEntries(values))
    }
    return this.text('passwordRefused')
  }

  /** How long to wait, in minutes. */
  waitingTime(seconds: number): string {
    const unit = { style: 'unit', unit: 'minute', unitDisplay: 'long' } as const
    return new Intl.NumberFormat(this.language, unit).format(Math.ceil(seconds / 60))
  }

  #piecesOf(key: TextKey): readonly string[] {
    return texts[this.language][key].split(placeholder)
  }
}

/** Texts that programs of the field read. */
export const english = new PageTexts('en')
