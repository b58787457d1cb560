import { html } from 'lit'
import type { Parameters } from '../../api/parameters.ts'
import { button } from '../../elements/page.ts'
import { copyText } from '../../forms/secret.ts'
import { base } from '../../navigation/navigation.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'
import { formatCall } from './repeated-call.ts'

interface Repeated {
  /** Path of the operation in the API. */
  readonly path: string
  readonly file: string
  /** Whether there is no such file: a pasted text has to be saved first. */
  readonly isText: boolean
  readonly parameters: Parameters
}

/** Renders the call of the API that repeats an import with its choices, folded, to be copied. */
export function renderRepeatCall({ path, file, isText, parameters }: Repeated) {
  const command = formatCall({ address: new URL(`sharing/rest${path}?f=json`, base).href, file, parameters })
  const copy = ({ target }: Event) => copyText(command, (target as Element).closest('details')!.querySelector('pre')!)
  return html`<details class="panel repeat">
    <summary>${t('repeat')}</summary>
    <div class="stack">
      <p class="quiet">${t('repeatText')}${isText ? ` ${t('repeatSaveFirst', { file })}` : ''}</p>
      <pre class="box file-text" dir="ltr" tabindex="0" role="region" aria-label=${t('repeat')}>${command}</pre>
      <div>${button(t('copy'), { icon: 'copy', size: 's', onClick: copy })}</div>
    </div>
  </details>`
}
