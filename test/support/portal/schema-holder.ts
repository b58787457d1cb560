import { expect } from 'vitest'
import type { SchemaLimits } from '../../../src/categories/limits.ts'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import { recordedOf } from '../databases/raw-database.ts'
import type { RecordedVersion } from '../databases/recorded.ts'
import type { Body, Client, TestPortal } from './portal.ts'

export const holderKinds = ['group', 'organization'] as const
export type HolderKind = (typeof holderKinds)[number]

/** Owner of a category schema, and a client that may assign it: a group and its owner, or the organization. */
export interface SchemaHolder {
  readonly client: Client
  /** Path of the resource, below the base. */
  readonly path: string
  readonly owner: SchemaOwner
  readonly limits: SchemaLimits
  /** Sends the value as the parameter; text as it is. */
  assign(categorySchema: unknown): Promise<Body>
  /** Sends a body as it is. */
  assignBody(payload: string | Buffer, contentType: string, query?: string): Promise<Body>
  remove(): Promise<Body>
  /** The bytes that a client reads. */
  readText(): Promise<string>
  /** Newest first. */
  versions(): Promise<readonly RecordedVersion[]>
}

/** The limits once more, as the description has them. */
const groupLimits: SchemaLimits = {
  trees: 5,
  levels: 4,
  categories: 200,
  titleLength: 99,
  descriptionLength: 299,
  sourceLength: 1_000,
}
const organizationLimits: SchemaLimits = { ...groupLimits, titleLength: 100, descriptionLength: 300 }

export async function openHolder(portal: TestPortal, kind: HolderKind): Promise<SchemaHolder> {
  const client = await portal.admin()
  const { id } = kind === 'group' ? await client.createGroup('Maps') : await client.get('/portals/self')
  const path = kind === 'group' ? `/community/groups/${id}` : `/portals/${id}`
  const owner: SchemaOwner = kind === 'group' ? { kind, groupId: id } : { kind: 'portal', portalId: id }
  const authorization = { 'x-esri-authorization': `Bearer ${client.token}` }
  return {
    client,
    path,
    owner,
    limits: kind === 'group' ? groupLimits : organizationLimits,
    assign: (categorySchema) => client.post(`${path}/assignCategorySchema`, { categorySchema }),
    async assignBody(payload, contentType, query = '') {
      const response = await portal.inject({
        method: 'POST',
        url: `${path}/assignCategorySchema${query}`,
        headers: { ...authorization, ...(contentType === '' ? {} : { 'content-type': contentType }) },
        payload,
      })
      return JSON.parse(response.body)
    },
    remove: () => client.post(`${path}/deleteCategorySchema`),
    readText: async () => (await portal.inject({ url: `${path}/categorySchema?f=json`, headers: authorization })).body,
    versions: () => recordedOf(portal).versions(owner),
  }
}

/** A refusal of assign as the contract writes it. */
export function rejection(...details: readonly string[]) {
  return {
    error: { code: 400, messageCode: 'ORG_1132', message: 'Unable to assign category schema.', details },
  }
}

/** Why it is none is in `reasons`. */
export const invalidSchema = {
  error: { ...rejection('Invalid category schema.').error, reasons: expect.any(Array) },
}
export const treesOutOfBounds = rejection('Category schema exceeds max tree size or empty.')
