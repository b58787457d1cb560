import { css } from 'lit'

/** Nested lists of categories with lines from parents to children. */
export const treeStyle = css`
  ul.tree {
    padding: 0;
    list-style: none;
  }
  .tree .tree {
    margin-inline-start: 0.6rem;
    padding-inline-start: 0.75rem;
    border-inline-start: 1px solid var(--wa-color-surface-border);
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.5rem;
    align-items: baseline;
    padding-block: 0.2rem;
    min-width: 0;
  }
  .line > * {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .note {
    font-size: 0.875rem;
  }
`
