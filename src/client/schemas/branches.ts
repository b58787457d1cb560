import { isAtOrBelow } from '../../categories/change/paths.ts'
import type { Move } from '../../categories/moves.ts'
import type { Category, CategorySchema } from '../../categories/schema.ts'
import { refused, untried } from '../failure.ts'

/** The present schema with these branches replaced by those of another one. */
export function replaceBranches(present: CategorySchema, wanted: CategorySchema, paths: readonly string[]) {
  return paths.reduce((schema, path) => {
    if (!/^\/[^/]/.test(path)) throw untried(`--only ${path} is no path: /A/B is needed.`)
    const titles = path.slice(1).split('/')
    const branch = find(wanted.categorySchema, titles)
    if (!branch && !find(schema.categorySchema, titles)) throw untried(`--only ${path} is in neither schema.`)
    return { categorySchema: replace(schema.categorySchema, titles, branch, path) }
  }, present)
}

function find(categories: readonly Category[], [title, ...below]: readonly string[]): Category | undefined {
  const found = categories.find((one) => one.title === title)
  return found && below.length > 0 ? find(found.categories ?? [], below) : found
}

/** The branch in place of the present one, removed where it is undefined, or behind its siblings where it is new. */
function replace(
  categories: readonly Category[],
  [title, ...below]: readonly string[],
  branch: Category | undefined,
  path: string,
): readonly Category[] {
  const at = categories.findIndex((one) => one.title === title)
  const found = categories[at]
  if (below.length > 0) {
    if (!found) throw refused(`The portal has no category ${title} to put ${path} below.`)
    const { categories: children = [], ...texts } = found
    const replaced = replace(children, below, branch, path)
    return categories.with(at, { ...texts, ...(replaced.length > 0 && { categories: replaced }) })
  }
  if (!found) return branch ? [...categories, branch] : categories
  return branch ? categories.with(at, branch) : categories.toSpliced(at, 1)
}

/** Refuses moves into the branches or out of them. */
export function requireWithin(moves: readonly Move[], paths: readonly string[]): void {
  const branchOf = (path: string) => paths.find((one) => isAtOrBelow(path, one))
  for (const [at, { from, to }] of moves.entries()) {
    if (branchOf(from) === undefined || branchOf(from) !== branchOf(to)) {
      throw refused(`moves/${at}: the move from ${from} to ${to} crosses the border of --only.`)
    }
  }
}
