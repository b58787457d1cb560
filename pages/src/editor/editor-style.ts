import { css } from 'lit'

/** The tree and the form of the editor, beside each other where there is room. */
export const editorStyle = css`
  :host {
    container-type: inline-size;
  }
  .toolbar {
    position: sticky;
    top: 0;
    z-index: 2;
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.75rem;
    align-items: center;
    padding-block: 0.5rem;
    background: var(--wa-color-surface-default);
    border-block-end: 1px solid var(--wa-color-surface-border);
  }
  .search {
    display: flex;
    flex: 1 1 12rem;
    gap: 0.5rem;
    align-items: center;
    min-width: 0;
    max-width: 22rem;
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.5rem;
    align-items: start;
  }
  details {
    margin-block-start: 1rem;
  }
  summary {
    min-height: 1.5rem;
    cursor: pointer;
    color: var(--wa-color-text-quiet);
  }
  dl {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.25rem 1rem;
    margin-block-start: 0.5rem;
  }
  kbd {
    font: inherit;
    font-weight: 600;
  }
  @container (min-width: 48rem) {
    .columns {
      grid-template-columns: minmax(0, 3fr) minmax(18rem, 2fr);
    }
    .form {
      position: sticky;
      top: 4.5rem;
    }
  }
`
