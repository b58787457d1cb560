import { css } from 'lit'

/** List of entries, each with its text and its actions beside it. */
export const entryListStyle = css`
  li {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: center;
    padding-block: 0.625rem;
    border-block-end: 1px solid var(--wa-color-surface-border);
  }
  .words {
    flex: 1 1 14rem;
    min-width: 0;
    overflow-wrap: anywhere;
  }
`
