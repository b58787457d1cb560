import { formEncode, type Parameters } from '../../support/portal/portal.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of a program of another time
export type Answer = any

/** Password of every user of a kept world. */
export const password = 'correct horse battery staple'

/** Calls a server as its users, by the fewest means: a program of any time understands it. */
export class Callers {
  readonly #base: string
  readonly #tokens = new Map<string, string>()

  constructor(base: string) {
    this.#base = base
  }

  /** The body of the answer, a refusal included. */
  async ask(by: string, path: string, parameters: Parameters = {}, method: 'GET' | 'POST' = 'POST'): Promise<Answer> {
    const headers = { 'X-Esri-Authorization': `Bearer ${await this.#tokenOf(by)}` }
    const words = formEncode({ f: 'json', ...parameters })
    const response = await (method === 'GET'
      ? fetch(`${this.#base}${path}?${words}`, { headers })
      : fetch(`${this.#base}${path}`, { method, headers, body: new URLSearchParams(words) }))
    return response.json()
  }

  async do(by: string, path: string, parameters: Parameters = {}): Promise<Answer> {
    const answer = await this.ask(by, path, parameters)
    if (answer.error || answer.success === false) throw new Error(`${path} is refused: ${JSON.stringify(answer)}`)
    return answer
  }

  async read(by: string, path: string, parameters: Parameters = {}): Promise<Answer> {
    const answer = await this.ask(by, path, parameters, 'GET')
    if (answer.error) throw new Error(`${path} is not shown: ${JSON.stringify(answer)}`)
    return answer
  }

  async #tokenOf(by: string): Promise<string> {
    const known = this.#tokens.get(by)
    if (known) return known
    const body = new URLSearchParams({ username: by, password, f: 'json' })
    const answer: Answer = await (await fetch(`${this.#base}/generateToken`, { method: 'POST', body })).json()
    if (!answer.token) throw new Error(`${by} does not sign in: ${JSON.stringify(answer)}`)
    this.#tokens.set(by, answer.token)
    return answer.token
  }
}
