/** Times in a table, at the precision that a spreadsheet has left them. */

/** Milliseconds since the epoch: from the first one on, before the second. */
export type Span = readonly [number, number]

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

const isoForm = /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ]+(.*))?$/i
const dottedForm = /^(\d\d?)\.(\d\d?)\.(\d{4})(?:,?[ ]+(.*))?$/
const slashedForm = /^(\d{1,4})\/(\d\d?)\/(\d{1,4})(?:,?[ ]+(.*))?$/
const timeForm = /^(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?([ap]m)? ?(z|utc|[+-]\d\d:?(?:\d\d)?)?$/i

/**
 * The moments that a text may mean; none if it is no time. Without a time zone it may be that of an export, UTC, or that of the
 * server, and `03/04/2026` may be one of two days.
 */
export function parseMoments(text: string): readonly Span[] {
  if (/^\d{12,16}$/.test(text)) return [[Number(text), Number(text) + 1]]
  if (/^\d{10}$/.test(text)) return [[Number(text) * second, (Number(text) + 1) * second]]
  return datesIn(text).flatMap(({ date, time }) => spansOf(date, time))
}

type Day = readonly [year: number, month: number, day: number]

function datesIn(text: string): readonly { readonly date: Day; readonly time: string }[] {
  const iso = isoForm.exec(text)
  if (iso) return [{ date: [Number(iso[1]), Number(iso[2]), Number(iso[3])], time: iso[4] ?? '' }]
  const dotted = dottedForm.exec(text)
  if (dotted) return [{ date: [Number(dotted[3]), Number(dotted[2]), Number(dotted[1])], time: dotted[4] ?? '' }]
  const slashed = slashedForm.exec(text)
  if (!slashed) return []
  const [one, two, three] = slashed.slice(1, 4).map(Number) as [number, number, number]
  const days: readonly Day[] =
    one > 31
      ? [[one, two, three]]
      : [
          [three, one, two],
          [three, two, one],
        ]
  return days.map((date) => ({ date, time: slashed[4] ?? '' }))
}

function spansOf([year, month, dayOfMonth]: Day, given: string): readonly Span[] {
  const time = timeForm.exec(given.trim())
  const isDay = month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= 31 && year >= 1970
  if (!isDay || (given.trim() !== '' && !time)) return []
  const [, hours = '0', minutes = '0', seconds, fraction = '', half, zone] = time ?? []
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hours)
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3))
  const parts = [year, month - 1, dayOfMonth, hour, Number(minutes), Number(seconds ?? 0), milliseconds] as const
  const precision = !time ? day : seconds === undefined ? minute : second / 10 ** Math.min(fraction.length, 3)
  const utc = Date.UTC(...parts)
  const starts = zone ? [utc - offsetOf(zone)] : [...new Set([utc, new Date(...parts).getTime()])]
  return starts.map((start) => [start, start + precision])
}

function offsetOf(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute
}
