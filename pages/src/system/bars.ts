/** Requests of one minute. */
export interface Minute {
  readonly requests: number
  readonly refused: number
  readonly failed: number
}

/** A bar of the chart, from below: what was done, refused and failed, as parts of the height of the chart. */
export interface Bar {
  readonly done: number
  readonly refused: number
  readonly failed: number
}

/** The bars of some minutes; the highest has the height 1, without any request all have none. */
export function barsOf(minutes: readonly Minute[]): readonly Bar[] {
  const most = Math.max(1, ...minutes.map(({ requests }) => requests))
  return minutes.map(({ requests, refused, failed }) => ({
    done: Math.max(0, requests - refused - failed) / most,
    refused: refused / most,
    failed: failed / most,
  }))
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** The largest unit in which a number of bytes is at least one, as the formats of languages name it, and how many of it. */
export function unitOf(bytes: number): { readonly value: number; readonly unit: (typeof units)[number] } {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1000)))
  return { value: bytes / 1000 ** power, unit: units[power]! }
}
