import { html } from 'lit'
import { t } from './texts.ts'

interface Texts {
  readonly title: string
  readonly snippet: string
  readonly tags: string
}

/** The fields that every item has. The limits are those of the API. */
export function itemFields({ title, snippet, tags }: Texts) {
  return html`<label class="field">
      <span>${t('title')}</span><input name="title" required maxlength="256" autocomplete="off" dir="auto" .defaultValue=${title}>
      <small>${t('upTo', { maximum: 256 })}</small>
    </label>
    <label class="field">
      <span>${t('snippet')}</span><textarea name="snippet" dir="auto" maxlength="2048" .defaultValue=${snippet}></textarea>
      <small>${t('upTo', { maximum: 2048 })}</small>
    </label>
    <label class="field">
      <span>${t('tags')}</span><input name="tags" autocomplete="off" dir="auto" .defaultValue=${tags}>
      <small>${t('tagsText')}</small>
    </label>`
}

/** The further fields of an item that is there already. */
export function moreFields({ url, description }: { readonly url: string; readonly description: string }) {
  return html`<label class="field">
      <span>${t('url')}</span><input name="url" type="url" maxlength="2048" autocomplete="off" dir="ltr" .defaultValue=${url}>
    </label>
    <label class="field">
      <span>${t('description')}</span><textarea name="description" dir="auto" .defaultValue=${description}></textarea>
    </label>`
}
