import type { Kysely } from 'kysely'
import type { OwnTemplate, TemplateStore } from '../../../schema-files/templates/store.ts'
import type { SchemaTemplateRow } from '../../tables/rows/categories.ts'
import type { Rows } from '../../tables/rows.ts'
import { checksumOf, requireIntact } from '../checksums.ts'
import { decode, optional } from '../decode.ts'

const { toValue: toTemplate, toRow } = decode<Omit<SchemaTemplateRow, 'document' | 'checksum'>, OwnTemplate>()({
  portalId: 'portal_id',
  name: 'name',
  title: 'title',
  categories: 'categories',
  source: optional('source'),
  createdBy: 'created_by',
  createdAt: 'created_at',
})

const listed = ['portal_id', 'name', 'title', 'categories', 'source', 'created_by', 'created_at'] as const

/** The store of the templates of organizations. */
export function templateStore(db: Kysely<Rows>): TemplateStore {
  const of = (portalId: string) => db.selectFrom('schema_templates').where('portal_id', '=', portalId)
  return {
    async findTemplate(portalId, name) {
      const row = await of(portalId).where('name', '=', name).selectAll().executeTakeFirst()
      if (!row) return undefined
      requireIntact('schema_templates', row)
      return { ...toTemplate(row), document: row.document }
    },
    async listTemplates(portalId) {
      const rows = await of(portalId).select(listed).orderBy('name').execute()
      return rows.map(toTemplate)
    },
    async addTemplate({ document, ...template }) {
      const checksum = checksumOf('schema_templates', { document })
      await db
        .insertInto('schema_templates')
        .values({ ...toRow(template), document, checksum })
        .execute()
    },
    async removeTemplate(portalId, name) {
      const { numDeletedRows } = await db
        .deleteFrom('schema_templates')
        .where('portal_id', '=', portalId)
        .where('name', '=', name)
        .executeTakeFirst()
      return numDeletedRows > 0
    },
  }
}
