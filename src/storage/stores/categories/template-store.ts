import type { Kysely } from 'kysely'
import { type StoredTemplate, type TemplateStore, templateFields } from '../../../schema-files/templates/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { checksumOf, requireIntact } from '../checksums.ts'
import { mapper } from '../mapper.ts'
import { findRow } from '../select.ts'

const templates = mapper(templateFields)

function toTemplate(row: Rows['schema_templates']): StoredTemplate {
  requireIntact('schema_templates', row)
  return { ...templates.toRecord(row), document: row.document }
}

/** The store of the templates of organizations. */
export function templateStore(db: Kysely<Rows>): TemplateStore {
  const of = (portalId: string) => db.selectFrom('schema_templates').where('portal_id', '=', portalId)
  return {
    findTemplate: (portalId, name) => findRow(db, 'schema_templates', { portal_id: portalId, name }, toTemplate),
    async listTemplates(portalId) {
      const rows = await of(portalId).select(templates.columns).orderBy('name').execute()
      return rows.map(templates.toRecord)
    },
    async addTemplate({ document, ...template }) {
      const checksum = checksumOf('schema_templates', { document })
      await db
        .insertInto('schema_templates')
        .values({ ...templates.toRow(template), document, checksum })
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
