import { LRUCache } from 'lru-cache'
import type { SchemaOwner } from '../../../categories/store.ts'

/** Approximate maximum size of the cache, in bytes (chosen). */
const maxBytes = 32 * 1024 * 1024

/** Approximate bytes of an entry besides its document and key (chosen). */
const minBytes = 400

/** Identifies a document for good. The time is part of it because version numbers repeat after a backup is restored. */
export interface DocumentKey {
  readonly owner: SchemaOwner
  readonly version: number
  readonly assignedAt: number
}

/** Category schemas as the bytes that are sent. Entries never become stale; a read only looks up which version is set. */
export class DocumentCache {
  readonly #documents: LRUCache<string, Uint8Array>

  constructor(max = maxBytes) {
    this.#documents = new LRUCache({
      maxSize: max,
      sizeCalculation: (document, key) => document.byteLength + 2 * key.length + minBytes,
    })
  }

  find(key: DocumentKey): Uint8Array | undefined {
    return this.#documents.get(formatKey(key))
  }

  put(key: DocumentKey, document: Uint8Array): void {
    this.#documents.set(formatKey(key), withoutPool(document))
  }
}

/** Copies a small Buffer, which is part of a shared pool of 64 KiB: caching it would keep the whole pool in memory. */
function withoutPool(document: Uint8Array): Uint8Array {
  if (document.byteLength === document.buffer.byteLength) return document
  const own = Buffer.allocUnsafeSlow(document.byteLength)
  own.set(document)
  return own
}

function formatKey({ owner, version, assignedAt }: DocumentKey): string {
  return `${owner.kind} ${version} ${assignedAt} ${owner.kind === 'group' ? owner.groupId : owner.portalId}`
}
