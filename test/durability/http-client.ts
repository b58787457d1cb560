import { formEncode } from '../support/portal/portal.ts'
import type { CartularyProcess } from '../support/portal/process.ts'
import type { Post } from './clients.ts'
import type { Answer } from './ledger.ts'

/** A running server, and the token of its administrator. */
export interface Reached {
  readonly server: CartularyProcess
  readonly token: string
}

/** The administrator's way to a server, which has to answer until it is excused. */
export function postTo({ server, token }: Reached, isExcused = () => false): Post {
  const post: Post = async (path, parameters) => {
    try {
      const response = await fetch(`${server.base}${path}`, {
        method: 'POST',
        body: formEncode(parameters),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...authorize(token) },
      })
      const answer = await readAnswer(response)
      if (response.status === 200) return answer
      if (response.status === 503 && isExcused()) return undefined
      // Where the machine is busy, sending may take longer than a server waits: nothing was done then.
      if (response.status === 408) return post(path, parameters)
      throw new Error(`${path} was answered with HTTP ${response.status}: ${answer.text}`)
    } catch (error) {
      // The error of fetch for a connection that is refused or cut off.
      if (isExcused() && error instanceof TypeError) return undefined
      throw error
    }
  }
  return post
}

/** The text of a resource. */
export async function readText({ server, token }: Reached, path: string): Promise<string> {
  return (await fetch(`${server.base}${path}?f=json`, { headers: authorize(token) })).text()
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  return { text, isDone: !('error' in JSON.parse(text)), requestId: response.headers.get('x-request-id') ?? '' }
}

function authorize(token: string): Readonly<Record<string, string>> {
  return { 'x-esri-authorization': `Bearer ${token}` }
}
