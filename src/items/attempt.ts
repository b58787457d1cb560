import { OperationRefused, PortalError } from '../errors.ts'

/** What came of one item of several. */
export type ItemOutcome<Result = object> = { readonly itemId: string } & (
  | ({ readonly failure?: undefined } & Result)
  | { readonly failure: Pick<PortalError, 'code' | 'message'> }
)

/**
 * Does to one item of several what a call asks for; a refusal is the outcome of this item alone. The work decides before it
 * writes, so that a refused item is left as it was; anything but a refusal undoes the whole call.
 */
export async function attempt<Result extends object>(
  itemId: string,
  work: () => Promise<Result>,
): Promise<ItemOutcome<Result>> {
  try {
    return { itemId, ...(await work()) }
  } catch (error) {
    if (error instanceof PortalError) return { itemId, failure: { code: error.code, message: error.message } }
    if (error instanceof OperationRefused) return { itemId, failure: { code: 400, message: error.message } }
    throw error
  }
}

/** One after the other, in order. */
export async function attemptEach<Result extends object>(
  itemIds: readonly string[],
  work: (itemId: string) => Promise<Result>,
): Promise<readonly ItemOutcome<Result>[]> {
  const outcomes: ItemOutcome<Result>[] = []
  for (const itemId of itemIds) outcomes.push(await attempt(itemId, () => work(itemId)))
  return outcomes
}
