import { css } from 'lit'

/** Rows of the tree: one for each category, indented by its level. */
export const treeStyle = css`
  :host {
    overflow-x: clip;
  }
  [role='treeitem'] {
    position: relative;
    display: flex;
    gap: 0.25rem;
    align-items: center;
    min-height: 1.875rem;
    padding-block: 0;
    padding-inline-end: 0.5rem;
    border-radius: 0.375rem;
    cursor: default;
    scroll-margin-block: 5rem;
    line-height: 1.3;
    user-select: none;
    -webkit-user-select: none;
  }
  /* Fingers need more space than a pointer does. */
  @media (pointer: coarse) {
    [role='treeitem'] {
      min-height: 2.75rem;
    }
  }
  [role='treeitem']:focus-visible {
    outline-offset: -2px;
  }
  [aria-level='2'] {
    margin-inline-start: 1.25rem;
  }
  [aria-level='3'] {
    margin-inline-start: 2.5rem;
  }
  [aria-level='4'] {
    margin-inline-start: 3.75rem;
  }
  [aria-level='5'],
  [aria-level='6'],
  [aria-level='7'],
  [aria-level='8'] {
    margin-inline-start: 5rem;
  }
  .toggle {
    flex: none;
    display: grid;
    place-items: center;
    width: 1.625rem;
    height: 1.625rem;
    border-radius: 0.25rem;
    color: var(--wa-color-text-quiet);
  }
  .toggle.has:hover {
    background: var(--wa-color-neutral-fill-normal);
  }
  .title {
    flex: 1 1 auto;
    min-width: 0;
    overflow-wrap: anywhere;
    /* At the start of the row, whatever the direction of the title is. */
    unicode-bidi: isolate;
    text-align: start;
  }
  .untitled {
    font-style: italic;
    color: var(--wa-color-text-quiet);
  }
  mark {
    padding: 0;
    color: inherit;
    background: var(--wa-color-warning-fill-normal);
    text-decoration: underline;
  }
  .count {
    flex: none;
    color: var(--wa-color-text-quiet);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }
  .items {
    min-width: 1.5rem;
    padding-inline: 0.375rem;
    border-radius: 0.75rem;
    text-align: center;
    background: var(--wa-color-neutral-fill-quiet);
  }
  [aria-selected='true'] .items {
    background: var(--wa-color-surface-default);
  }
  .error {
    flex: none;
    color: var(--wa-color-danger-on-quiet);
  }
  .warning {
    flex: none;
    color: var(--wa-color-warning-on-quiet);
  }
  input {
    flex: 1 1 auto;
    min-width: 0;
    padding: 0.125rem 0.375rem;
    font: inherit;
    color: inherit;
    border: 1px solid var(--wa-color-brand-border-loud);
    border-radius: 0.25rem;
    background: var(--wa-color-surface-default);
  }
  [data-dragged] {
    opacity: 0.5;
  }
  [data-drop='inside'] {
    outline: 2px dashed var(--wa-color-brand-border-loud);
    outline-offset: -2px;
  }
  [data-drop='before']::before,
  [data-drop='after']::after {
    content: '';
    position: absolute;
    inset-inline: 0;
    height: 4px;
    border-radius: 2px;
    background: var(--wa-color-brand-fill-loud);
    pointer-events: none;
  }
  [data-drop='before']::before {
    inset-block-start: -2px;
  }
  [data-drop='after']::after {
    inset-block-end: -2px;
  }
  [data-drop='refused'] {
    cursor: no-drop;
    outline: 2px solid var(--wa-color-danger-border-loud);
    outline-offset: -2px;
  }
  .end {
    min-height: 1.5rem;
    border-radius: 0.375rem;
  }
  @media (forced-colors: active) {
    [data-drop='before']::before,
    [data-drop='after']::after {
      background: Highlight;
    }
    mark {
      background: Mark;
      color: MarkText;
    }
  }
`
