import type { Choice } from './side.ts'

interface Orders {
  readonly base: readonly string[]
  readonly theirs: readonly string[]
  readonly mine: readonly string[]
  /** Ids that are to be put in order; some may be new to this parent. */
  readonly ids: readonly string[]
}

/** Puts siblings in order: as the one side has them that has changed the order, with the others behind the same neighbours. */
export function mergeOrders({ base, theirs, mine, ids }: Orders, ask: () => Choice): readonly string[] {
  const choice = chooseOrder({ base, theirs, mine }, ask)
  const [first, second] = choice === 'theirs' ? [theirs, mine] : [mine, theirs]
  return insertBehindNeighbours(insertBehindNeighbours(first, second), ids)
}

function chooseOrder({ base, theirs, mine }: Omit<Orders, 'ids'>, ask: () => Choice): Choice {
  const keep = (order: readonly string[], others: readonly string[]) =>
    order.filter((id) => others.includes(id)).join('\n')
  if (keep(mine, base) === keep(base, mine)) return 'theirs'
  if (keep(theirs, base) === keep(base, theirs)) return 'mine'
  return keep(theirs, mine) === keep(mine, theirs) ? 'theirs' : ask()
}

/** The order with the other ids that it lacks, each behind the one that it stands behind there. */
function insertBehindNeighbours(order: readonly string[], others: readonly string[]): readonly string[] {
  const result = [...order]
  for (const [position, id] of others.entries()) {
    if (result.includes(id)) continue
    const behind = others[position - 1]
    result.splice(behind === undefined ? 0 : result.indexOf(behind) + 1, 0, id)
  }
  return result
}
