import { joinTrail } from './bidi.ts'
import { directionOf, regionalTag } from './languages.ts'
import { presentLanguage } from './texts.ts'

/** Numbers, moments and spans as the language of the person writes them. */

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(presentLanguage()).format(value)
}

/** A moment in the time of the person, as their region writes it: `21 Nov 2026, 14:05`, or `Nov 21, 2026, 2:05 PM`. */
export function formatMoment(value: number): string {
  return formatDate(value, { dateStyle: 'medium', timeStyle: 'short' })
}

/** A day, `2026-11-21`, as the region of the person writes it: `21 Nov 2026`. */
export function formatDay(day: string): string {
  return formatDate(Date.parse(day), { dateStyle: 'medium', timeZone: 'UTC' })
}

/** Formats in the language of the page and by the customs of the browser's region, with the digits that other numbers have. */
function formatDate(value: number, options: Intl.DateTimeFormatOptions): string {
  const language = presentLanguage()
  const { numberingSystem } = new Intl.NumberFormat(language).resolvedOptions()
  const tag = regionalTag(language, navigator.languages)
  return new Intl.DateTimeFormat(tag, { ...options, numberingSystem }).format(value)
}

/** Formats the time in UTC, as logs have it: `2026-11-21 13:05:09 UTC`. */
export function formatUtc(value: number): string {
  return `${new Date(value).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const spans = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How far a moment is from now, in the largest unit that fits: `in 3 days`, `2 minutes ago`; under a minute, `now`. */
export function formatDistance(value: number, now: number): string {
  const difference = value - now
  const [unit, length] = spans.find(([, length]) => Math.abs(difference) >= length) ?? (['second', 60_000] as const)
  return new Intl.RelativeTimeFormat(presentLanguage(), { numeric: 'auto' }).format(
    Math.trunc(difference / length),
    unit,
  )
}

/** A list with what the language of the person has between its parts: `anna, bert, and carla`. */
export function listInWords(parts: readonly string[]): readonly { readonly isPart: boolean; readonly text: string }[] {
  return new Intl.ListFormat(presentLanguage())
    .formatToParts(parts)
    .map(({ type, value }) => ({ isPart: type === 'element', text: value }))
}

/** A path, `/Themes/Water`, as the titles from the tree to the category: `Themes › Water`. */
export function formatTrail(path: string): string {
  return joinTrail(path.split('/').slice(1), directionOf(presentLanguage()))
}

/** Texts in the order in which the language of the person has them. */
export function compareTexts(a: string, b: string): number {
  return new Intl.Collator(presentLanguage(), { numeric: true }).compare(a, b)
}

/** The name of a language in that of the person; its tag where it has none. */
export function nameOfLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(presentLanguage(), { type: 'language' }).of(tag) ?? tag
  } catch {
    // A file may call anything a language.
    return tag
  }
}
