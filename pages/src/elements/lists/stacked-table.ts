import { css } from 'lit'

/**
 * On narrow screens, the cells of a row are stacked: `<td data-label=${t('role')}>` with the name of
 * its column, one without it only if its text is clear by itself.
 */
export const stackedTable = css`
  @media (max-width: 40rem) {
    thead {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    table,
    tbody,
    tr,
    td,
    th {
      display: block;
    }
    tr {
      padding-block: 0.5rem;
      border-bottom: 1px solid var(--wa-color-surface-border);
    }
    td,
    th {
      padding: 0.125rem 0;
      border: 0;
    }
    td[data-label] {
      display: flex;
      flex-wrap: wrap;
      gap: 0 0.5rem;
      align-items: baseline;
    }
    td[data-label]::before {
      content: attr(data-label);
      color: var(--wa-color-text-quiet);
    }
  }
`
