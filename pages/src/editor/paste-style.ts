import { css } from 'lit'

/** The dialog for a pasted text: its table over the whole width, and the outcome beside the choices. */
export const pasteStyle = css`
  cartulary-dialog-form {
    --dialog-width: 56rem;
  }
  cartulary-table-columns {
    --table-height: 15rem;
  }
  textarea {
    min-height: 9rem;
    font-family: var(--wa-font-family-code);
    tab-size: 4;
    white-space: pre;
    overflow: auto;
  }
  .halves {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
    gap: 1rem 1.5rem;
    align-items: start;
  }
  .field.whole {
    max-width: none;
  }
  .preview {
    max-height: 16rem;
    overflow: auto;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--wa-color-surface-border);
    border-radius: 0.375rem;
    overflow-wrap: anywhere;
  }
  .preview ul {
    padding-inline-start: 1.25rem;
  }
  .problems {
    color: var(--wa-color-danger-on-quiet);
  }
  summary {
    min-height: 1.75rem;
    cursor: pointer;
  }
`
