import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Parsed } from '../../../src/call/parsed.ts'
import type { Triple } from '../../../src/schema-files/skos/graph.ts'
import type { SkosSyntax } from '../../../src/schema-files/skos/syntaxes.ts'

/** So many texts of tests fit into the memory of one parser, which keeps a part of each. */
const textsOfThread = 50

/** Parses any number of texts, one after the other, as the program does: in threads that end. */
export class RdfParser implements AsyncDisposable {
  #thread: Worker | undefined
  #texts = 0

  async parse(text: string, syntax: SkosSyntax): Promise<Parsed<readonly Triple[]>> {
    if (this.#texts % textsOfThread === 0) await this.#renew()
    this.#texts += 1
    const answer = once(this.#thread!, 'message')
    this.#thread!.postMessage({ text, syntax })
    const [parsed] = await answer
    return parsed
  }

  async #renew(): Promise<void> {
    await this.#thread?.terminate()
    this.#thread = new Worker(new URL('rdf-thread.ts', import.meta.url))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.terminate()
  }
}
