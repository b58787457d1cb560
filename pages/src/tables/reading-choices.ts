import { html, nothing } from 'lit'
import { choice } from '../elements/fields.ts'
import { button } from '../elements/page.ts'
import { groupSame, said } from '../sentences/said.ts'
import { ofTables as t } from '../texts/rooms.ts'

export const inWindows1252 = { encoding: 'windows-1252' }

/** Whether a person has had a file read as Windows-1252 on this page: their others are written so as well. */
let isUsual = false

/** Whether a refused file is read as Windows-1252 without a question. */
export function isReadAsWindows1252(sentences: readonly string[]): boolean {
  return isUsual && sentences.some(namesWindows1252)
}

function namesWindows1252(sentence: string): boolean {
  return sentence.includes('encoding=windows-1252')
}

/** Renders a line for each failure, with the number of its rows. */
export function renderFailures(failures: ReturnType<typeof groupSame>) {
  return html`<ul>${failures.map(
    ({ message, row, count }) =>
      html`<li>${said(message, row)} ${count > 1 && row !== undefined ? html`<span class="quiet">${t('inRows', { count, row })}</span>` : nothing}</li>`,
  )}</ul>`
}

/** Renders why a file is not read: the sentences of the server, and the encoding that helps, as a button. */
export function renderUnread(
  heading: unknown,
  { sentences, isNeeded = () => true }: { sentences: readonly string[]; isNeeded?: (sentence: string) => boolean },
  readAsWindows1252: () => void,
) {
  const shown = sentences.filter(isNeeded)
  return html`<wa-callout variant="danger" role="alert"><wa-icon slot="icon" name="warning"></wa-icon>
    <div class="stack">
      ${heading}
      ${shown.length > 0 ? renderFailures(groupSame(shown.map((message) => ({ message })))) : nothing}
      ${
        sentences.some(namesWindows1252)
          ? html`<div>${button(t('readAsWindows1252'), {
              size: 's',
              onClick: () => {
                isUsual = true
                readAsWindows1252()
              },
            })}</div>`
          : nothing
      }
    </div>
  </wa-callout>`
}

/** Renders the choice of a sheet, where a workbook has several. */
export function renderSheets(sheets: readonly string[], chosen: string | undefined, choose: (sheet: string) => void) {
  if (sheets.length < 2) return nothing
  return choice('sheet', t('sheet'), sheets, (name) => name, chosen, { isLive: true, onChange: choose })
}
