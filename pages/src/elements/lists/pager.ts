import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, nothing } from 'lit'
import { hrefWith } from '../../navigation/navigation.ts'
import { formatNumber } from '../../texts/formats.ts'
import { PageElement } from '../page-element.ts'
import { t } from '../texts.ts'
import { partsOf, type ShownPage } from './page-parts.ts'

interface PagerOptions {
  /** Entries of a full page, where it is not the usual number. */
  readonly num?: number
  /** What the parts before and after it are called, where there is a better word than that. */
  readonly previous?: string
  readonly next?: string
  /** Whether the list says elsewhere which part of it is shown. */
  readonly withoutRange?: boolean
}

/** Which part of a list is shown, and the ways to the parts before and after it; nothing where one page shows all. */
export function renderPager(page: ShownPage, options: PagerOptions = {}) {
  const { end, before, after } = partsOf(page, options.num)
  if (before === undefined && after === undefined) return nothing
  const words = { from: formatNumber(page.start), to: formatNumber(end), total: formatNumber(page.total) }
  return html`<nav class="row pager" aria-label=${t('pages')}>
    ${options.withoutRange ? nothing : html`<span>${t('range', words)}</span>`}
    ${
      before === undefined
        ? nothing
        : html`<wa-button size="s" appearance="outlined" href=${hrefOf(before)}
            ><wa-icon slot="start" name="chevron-left"></wa-icon>${options.previous ?? t('previous')}</wa-button>`
    }
    ${
      after === undefined
        ? nothing
        : html`<wa-button size="s" appearance="outlined" href=${hrefOf(after)}
            ><wa-icon slot="end" name="chevron-right"></wa-icon>${options.next ?? t('next')}</wa-button>`
    }
  </nav>`
}

/** The first page has no position in its address. */
function hrefOf(start: number): string {
  return hrefWith({ start: start === 1 ? undefined : start })
}

/** Which part of a list is shown, and the ways to the parts before and after it; nothing where one page shows all. */
class Pager extends PageElement {
  static override properties = {
    total: { type: Number },
    start: { type: Number },
    num: { type: Number },
    nextStart: { type: Number, attribute: 'next-start' },
    hrefOf: { attribute: false },
    previous: {},
    next: {},
    withoutRange: { type: Boolean, attribute: 'without-range' },
  }

  static override styles = [
    ...PageElement.styles,
    css`
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
        align-items: center;
      }
      wa-icon:dir(rtl) {
        scale: -1 1;
      }
    `,
  ]

  declare total: number
  /** Position of the first entry that is shown, from 1. */
  declare start: number
  /** Entries of a full page. */
  declare num: number
  /** Where the next page begins, as the answer has it: -1 on the last one. */
  declare nextStart: number
  /** The address that shows the list from a position on. */
  declare hrefOf: (start: number) => string
  /** What the parts before and after it are called, where there is a better word than that. */
  declare previous: string | undefined
  declare next: string | undefined
  /** The list says elsewhere which part of it is shown. */
  declare withoutRange: boolean

  override render() {
    const { total, start } = this
    const { end, before, after } = partsOf(this, this.num)
    if (before === undefined && after === undefined) return nothing
    const words = { from: formatNumber(start), to: formatNumber(end), total: formatNumber(total) }
    return html`<nav aria-label=${t('pages')}>
      ${this.withoutRange ? nothing : html`<span>${t('range', words)}</span>`}
      ${
        before === undefined
          ? nothing
          : html`<wa-button size="s" appearance="outlined" href=${this.hrefOf(before)}
              ><wa-icon slot="start" name="chevron-left"></wa-icon>${this.previous ?? t('previous')}</wa-button>`
      }
      ${
        after === undefined
          ? nothing
          : html`<wa-button size="s" appearance="outlined" href=${this.hrefOf(after)}
              ><wa-icon slot="end" name="chevron-right"></wa-icon>${this.next ?? t('next')}</wa-button>`
      }
    </nav>`
  }
}

customElements.define('cartulary-pager', Pager)
