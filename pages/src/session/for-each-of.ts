/** Concurrent calls for the entries of a list (chosen). */
const concurrent = 4

/** Does work for each, some concurrently; after an error no other begins, and it is thrown when those that run have ended. */
export async function forEachOf<Thing>(things: readonly Thing[], work: (thing: Thing) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  const waiting = things.values()
  const worker = async () => {
    for (const thing of waiting) {
      if (errors.length > 0) return
      await work(thing).catch((error: unknown) => errors.push(error))
    }
  }
  await Promise.all(Array.from({ length: concurrent }, worker))
  if (errors.length > 0) throw errors[0]
}
