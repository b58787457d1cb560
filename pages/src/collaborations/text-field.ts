import { field } from '../forms/field.ts'
import { t } from './texts.ts'

/** A line of text with its limit. */
export function textField(name: string, label: string, maximum: number, isRequired = false, value = '') {
  return field(name, label, {
    max: maximum,
    required: isRequired,
    value: value,
    hint: isRequired ? t('requiredUpTo', { maximum }) : t('upTo', { maximum }),
  })
}
