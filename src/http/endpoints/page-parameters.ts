import { optionalInteger, type Parameter, withDefault } from './parameter-types.ts'

const maxPageSize = 100

/**
 * The first entry of a page. Any position behind the last entry is the same empty page, so none is too large; 0 is the first one,
 * since scripts that count from 0 would take an empty page for an empty list (chosen).
 */
export function startOf(minimum: number): Parameter<number> {
  const rules = { minimum, cap: Number.MAX_SAFE_INTEGER }
  const start = withDefault(optionalInteger('Position of the first entry, from 1; default 1, as for 0.', rules), 1)
  return {
    ...start,
    read: (given) => start.read(given !== undefined && /^\s*-?0+\s*$/.test(given) ? undefined : given),
  }
}

/** Description of `num`. Each list reports in its own `num` what a larger value was reduced to (documented). */
export function numMeaning(usual: number, max: number): string {
  return `Number of entries; default ${usual}. A value above ${max} is reduced to it, and num of the answer says so.`
}

/** Parameters `start` and `num` of a list; `usual` is the default of `num`. */
export const pagesOf = (usual: number) => ({
  start: startOf(1),
  num: withDefault(
    optionalInteger(numMeaning(usual, maxPageSize), {
      minimum: 0,
      cap: maxPageSize,
    }),
    usual,
  ),
})

export const pageParameters = pagesOf(10)
