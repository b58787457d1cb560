import { readXml } from './xml.ts'

/** Formats of dates and times that have no code in the workbook (ECMA-376, 18.8.30), those of East Asia among them. */
const builtInDates: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

/** Numbers of the cell styles that show a number as a date or a time. */
export function readDateStyles(bytes: Uint8Array): ReadonlySet<number> {
  const codes = new Map<number, string>()
  const styles = new Set<number>()
  let isInStyles = false
  let style = 0
  readXml(bytes, {
    open(element) {
      if (element.name === 'numFmt') {
        codes.set(Number(element.attribute('numFmtId')), element.attribute('formatCode') ?? '')
      } else if (element.name === 'cellXfs') isInStyles = true
      else if (element.name === 'xf' && isInStyles) {
        const format = Number(element.attribute('numFmtId') ?? '0')
        const code = codes.get(format)
        if (code === undefined ? isBuiltInDate(format) : isDateCode(code)) styles.add(style)
        style += 1
      }
    },
    close(name) {
      if (name === 'cellXfs') isInStyles = false
    },
  })
  return styles
}

function isBuiltInDate(format: number): boolean {
  return builtInDates.some(([first, last]) => format >= first && format <= last)
}

/** Whether the code has a letter of a date or a time, outside of quotes, escapes, and colours or countries in brackets. */
function isDateCode(code: string): boolean {
  const plain = code.replace(/"[^"]*"?|[\\_*][\s\S]|\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gi, '')
  return /[ymdhs]/i.test(plain)
}

/** Last day of the year 9999. */
const maxDay = 2_958_465
const daySeconds = 86_400

/** The date or the time of a serial number, in ISO 8601; undefined for a number that is none. */
export function formatDate(serial: number, is1904: boolean): string | undefined {
  if (!(serial >= 0 && serial <= maxDay)) return undefined
  const seconds = Math.round(serial * daySeconds)
  const days = Math.floor(seconds / daySeconds)
  const ofDay = new Date((seconds % daySeconds) * 1_000).toISOString().slice(11, 19)
  if (days === 0) return ofDay
  const date = formatDay(is1904 ? days + 1_462 : days)
  return seconds % daySeconds === 0 ? date : `${date}T${ofDay}`
}

/** Day 60 is a 29th of February 1900 that was none; before it, days are one less. */
function formatDay(days: number): string {
  if (days === 60) return '1900-02-29'
  return new Date(Date.UTC(1899, 11, days < 60 ? 31 : 30) + days * daySeconds * 1_000).toISOString().slice(0, 10)
}
