/** Requests of one minute. */
export interface Minute {
  readonly requests: number
  readonly refused: number
  readonly failed: number
}

/** A bar of the chart: done, refused and failed requests, from bottom to top, as shares of the chart's height. */
export interface Bar {
  readonly done: number
  readonly refused: number
  readonly failed: number
}

/** Bars of some minutes; the highest has the height 1, without any request all are empty. */
export function barsOf(minutes: readonly Minute[]): readonly Bar[] {
  const max = Math.max(1, ...minutes.map(({ requests }) => requests))
  return minutes.map(({ requests, refused, failed }) => ({
    done: Math.max(0, requests - refused - failed) / max,
    refused: refused / max,
    failed: failed / max,
  }))
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Number of bytes in the largest unit in which it is at least one, and that unit as `Intl` names it. */
export function unitOf(bytes: number): { readonly value: number; readonly unit: (typeof units)[number] } {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1000)))
  return { value: bytes / 1000 ** power, unit: units[power]! }
}
