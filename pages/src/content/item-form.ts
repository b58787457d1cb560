import { html } from 'lit'
import { field, textField } from '../elements/fields.ts'
import { ofContent as t } from '../texts/rooms.ts'

interface Texts {
  readonly title: string
  readonly snippet: string
  readonly tags: string
}

/** The fields that every item has. The limits are those of the API. */
export function itemFields({ title, snippet, tags }: Texts) {
  return html`${field('title', t('title'), { max: 256, required: true, value: title, hint: t('upTo', { maximum: 256 }) })}
    ${textField('snippet', t('snippet'), { max: 2048, value: snippet, hint: t('upTo', { maximum: 2048 }) })}
    ${field('tags', t('tags'), { value: tags, hint: t('tagsText') })}`
}
