import { LRUCache } from 'lru-cache'
import type { SchemaOwner } from '../../categories/store.ts'

/** In bytes, about (chosen). */
const mostBytes = 32 * 1024 * 1024

/** Which document is meant. A version never changes; the time tells apart what a restored backup numbers again. */
export interface DocumentKey {
  readonly owner: SchemaOwner
  readonly version: number
  readonly assignedAt: number
}

/** Documents of category schemas, encoded as they are sent: only the small row that says which one is set is read again. */
export class DocumentCache {
  readonly #documents: LRUCache<string, Uint8Array>

  constructor(most = mostBytes) {
    this.#documents = new LRUCache({
      maxSize: most,
      sizeCalculation: (document, key) => document.byteLength + 2 * key.length + 200,
    })
  }

  find(key: DocumentKey): Uint8Array | undefined {
    return this.#documents.get(formatKey(key))
  }

  put(key: DocumentKey, document: Uint8Array): void {
    this.#documents.set(formatKey(key), document)
  }
}

function formatKey({ owner, version, assignedAt }: DocumentKey): string {
  return `${owner.kind} ${version} ${assignedAt} ${owner.kind === 'group' ? owner.groupId : owner.portalId}`
}
