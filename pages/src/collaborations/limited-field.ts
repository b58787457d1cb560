import { field } from '../elements/fields.ts'
import { ofCollaborations as t } from '../texts/rooms.ts'

/** A line of text with its limit. */
export function limitedField(name: string, label: string, maximum: number, isRequired = false, value = '') {
  return field(name, label, {
    max: maximum,
    required: isRequired,
    value: value,
    hint: isRequired ? t('requiredUpTo', { maximum }) : t('upTo', { maximum }),
  })
}
