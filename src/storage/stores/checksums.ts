import { crc32 } from 'node:zlib'
import { DamagedDocument } from '../storage.ts'
import type { Rows } from '../tables/rows.ts'
import { primaryKeys } from '../tables/tables.ts'

/** Columns that a checksum covers. One statement writes them all, and the checksum with them. */
export const documents = {
  category_schema_versions: ['document'],
  schema_drafts: ['document', 'moves'],
  schema_templates: ['document'],
  items: [
    'title',
    'type',
    'type_keywords',
    'tags',
    'culture',
    'spatial_reference',
    'url',
    'snippet',
    'access_information',
    'documentation',
    'license_info',
    'description',
    'west',
    'south',
    'east',
    'north',
    'properties',
  ],
  item_texts: ['text'],
  audit: [
    'happened_at',
    'username',
    'portal_id',
    'address',
    'operation',
    'target',
    'outcome',
    'request_id',
    'owner_id',
    'data',
  ],
} as const satisfies { readonly [Table in keyof Rows]?: readonly (keyof Rows[Table])[] }

export type DocumentTable = keyof typeof documents

export const documentTables = Object.keys(documents) as readonly DocumentTable[]

/** Columns by their names. */
type Columns<Name extends string> = { readonly [Column in Name]: string | number | null }

type Document<Table extends DocumentTable> = Columns<(typeof documents)[Table][number]>

/** A document with its place. The checksum is null where an earlier version of the program has written the row. */
export type StoredDocument<Table extends DocumentTable> = Document<Table> &
  Columns<(typeof primaryKeys)[Table][number]> & { readonly checksum: number | null }

/** CRC-32 of a document: it detects damage, not forgery. */
export function checksumOf<Table extends DocumentTable>(table: Table, document: Document<Table>): number {
  const values: Columns<string> = document
  const text = documents[table].map((name) => values[name]).join('\n')
  // PostgreSQL has no U+0000.
  return crc32(text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)
}

/** Place of a document whose checksum does not match; undefined if it matches or is not set yet. */
export function findDamage<Table extends DocumentTable>(
  table: Table,
  stored: StoredDocument<Table>,
): string | undefined {
  if (stored.checksum === null || stored.checksum === checksumOf(table, stored)) return undefined
  const values: Columns<string> = stored
  return `${table} (${primaryKeys[table].map((name) => `${name} ${values[name]}`).join(', ')})`
}

/** Refuses a document whose checksum does not match. */
export function requireIntact<Table extends DocumentTable>(table: Table, stored: StoredDocument<Table>): void {
  const place = findDamage(table, stored)
  if (place) throw new DamagedDocument(place)
}
