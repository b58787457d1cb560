import { LRUCache } from 'lru-cache'
import type { SchemaOwner } from '../../categories/store.ts'

/** In bytes, about (chosen). */
const mostBytes = 32 * 1024 * 1024

/** Which text is meant. A version never changes; the time tells apart what a restored backup numbers again. */
export interface DocumentKey {
  readonly owner: SchemaOwner
  readonly version: number
  readonly assignedAt: number
}

/** Texts of category schemas, so that only the small row which says what is set has to be read again. */
export class DocumentCache {
  readonly #documents: LRUCache<string, string>

  constructor(most = mostBytes) {
    this.#documents = new LRUCache({
      maxSize: most,
      sizeCalculation: (text, key) => 2 * (text.length + key.length) + 200,
    })
  }

  find(key: DocumentKey): string | undefined {
    return this.#documents.get(formatKey(key))
  }

  put(key: DocumentKey, document: string): void {
    this.#documents.set(formatKey(key), document)
  }
}

function formatKey({ owner, version, assignedAt }: DocumentKey): string {
  return `${owner.kind} ${version} ${assignedAt} ${owner.kind === 'group' ? owner.groupId : owner.portalId}`
}
