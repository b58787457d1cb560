import type { Generated } from 'kysely'
import type { RowOf } from '../../../record.ts'
import type { attemptFields, deliveryFields, webhookFields, webhookSettingFields } from '../../../webhooks/hook.ts'

interface DeliveryRow extends RowOf<typeof deliveryFields> {
  id: Generated<number>
}

interface AttemptRow extends RowOf<typeof attemptFields> {
  id: Generated<number>
}

export interface WebhookTables {
  webhooks: RowOf<typeof webhookFields>
  /** One row while any hook of the server collects, and none otherwise. */
  webhook_revision: { id: number; revision: string }
  webhook_settings: RowOf<typeof webhookSettingFields>
  webhook_deliveries: DeliveryRow
  webhook_attempts: AttemptRow
}
