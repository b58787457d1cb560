import { css } from 'lit'

/** A table of a file: it scrolls by itself, with its columns and row numbers in view. */
export const tableStyle = css`
  .rows {
    max-height: var(--table-height, 26rem);
    overflow: auto;
    border: 1px solid var(--wa-color-surface-border);
    border-radius: 0.375rem;
  }
  .rows table {
    border-collapse: separate;
    border-spacing: 0;
  }
  .rows th,
  .rows td {
    min-width: 9rem;
    max-width: 20rem;
    padding: 0.25rem 0.5rem;
    background: var(--wa-color-surface-default);
  }
  thead th {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    padding-block: 0.5rem;
    color: inherit;
  }
  thead select {
    min-width: 11rem;
    font-weight: normal;
  }
  thead th > span {
    display: inline-block;
    max-width: 100%;
    margin-block-end: 0.25rem;
  }
  .rows .number {
    min-width: 3.5rem;
    width: 1px;
    color: var(--wa-color-text-quiet);
    font-weight: normal;
    white-space: nowrap;
  }
  /* On the line of the number. */
  .number input {
    margin-block: 0;
    vertical-align: text-bottom;
  }
  td > bdi {
    white-space: pre-wrap;
  }
  .names td {
    font-weight: 600;
  }
  .rows td.unused,
  .unused td,
  thead .unused > span {
    color: var(--wa-color-text-quiet);
    background: var(--wa-color-surface-lowered);
  }
  .rows .wrong,
  .rows .reason td {
    color: var(--wa-color-danger-on-quiet);
    background: var(--wa-color-danger-fill-quiet);
  }
  /* A reason is as wide as what is seen of a wide table. */
  .reason div {
    position: sticky;
    inset-inline-start: 0.5rem;
    width: fit-content;
    max-width: min(40rem, 60vw);
  }
`
