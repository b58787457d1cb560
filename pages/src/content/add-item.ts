import { ApiError } from '../api/call.ts'
import type { Parameters } from '../api/parameters.ts'
import { call, contentPath, post, signedIn } from '../session/session.ts'

interface OwnItem {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly created: number
}

/** Items among which one is looked for whose adding was not answered (chosen). */
const looked = 100

/** Adds items of the person, each once: where the answer to an earlier try was lost, the item may be there already. */
export function itemAdder(): (parameters: Parameters) => Promise<string> {
  const known = new Set<string>()
  let isLost = false
  /** When the newest item of before was created. */
  let before: Promise<number> | undefined
  return async (parameters) => {
    const user = contentPath(signedIn()?.username ?? '')
    const listNewest = async () =>
      (
        await call<{ readonly items: readonly OwnItem[] }>(user, {
          num: looked,
          sortField: 'created',
          sortOrder: 'desc',
        })
      ).items
    before ??= listNewest().then((items) => {
      for (const { id } of items) known.add(id)
      return items[0]?.created ?? 0
    })
    const since = await before.catch((error: unknown) => {
      before = undefined
      throw error
    })
    const isTried = ({ id, title, type, created }: OwnItem) =>
      created >= since && !known.has(id) && title === String(parameters['title']).trim() && type === parameters['type']
    const tried = isLost ? (await listNewest()).find(isTried) : undefined
    try {
      const { id } = tried ?? (await post<{ readonly id: string }>(`${user}/addItem`, parameters))
      known.add(id)
      return id
    } catch (error) {
      if (!(error instanceof ApiError)) isLost = true
      throw error
    }
  }
}
