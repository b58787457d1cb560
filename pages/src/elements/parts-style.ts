import { css } from 'lit'

/** Parts of screens, by classes: forms, grids of parts, lists of entries and of links, tables that stack, places for files. */
export const partsStyle = css`
  :where(form:not([role='search'])) {
    display: grid;
    gap: 1rem;
    align-content: start;
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
    gap: 0.75rem 1rem;
    align-items: start;
  }
  /* Parts beside each other where there is room: small ones as cards, larger ones as sides. */
  .cards,
  .sides {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
    gap: 1rem;
  }
  .sides {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
    align-items: start;
  }
  /* Two columns in a wide window. */
  @media (min-width: 90rem) {
    .two {
      display: grid;
      grid-template-columns: repeat(2, minmax(0, 1fr));
      gap: 2rem;
      align-items: start;
    }
  }
  /* Entries, each with its words and its actions beside it. */
  .entries > li {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    align-items: center;
    padding-block: 0.625rem;
    border-block-end: 1px solid var(--wa-color-surface-border);
  }
  .entries > li > :first-child,
  .words {
    flex: 1 1 14rem;
    min-width: 0;
  }
  /* A bar of parts, as an image of rectangles. */
  .bar {
    display: block;
    width: 100%;
    height: 0.5rem;
    margin-block-end: 0.25rem;
    border-radius: 0.25rem;
    background: var(--wa-color-neutral-fill-quiet);
    print-color-adjust: exact;
  }
  .bar:dir(rtl) {
    scale: -1 1;
  }
  .bar .own {
    fill: var(--wa-color-brand-fill-loud);
  }
  .bar .below {
    fill: var(--wa-color-brand-border-normal);
  }
  /* Two at the ends of a line. */
  .spread {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1rem;
    justify-content: space-between;
  }
  .spread > * {
    min-width: 0;
  }
  /* Links as rows, of which one is the current one. */
  .links a {
    display: flex;
    border-radius: 0.375rem;
    color: var(--wa-color-text-normal);
    text-decoration: none;
  }
  .links a:hover {
    background: var(--wa-color-neutral-fill-quiet);
  }
  .links a[aria-current] {
    background: var(--wa-color-brand-fill-quiet);
    color: var(--wa-color-brand-on-quiet);
    font-weight: 600;
  }
  /* A button that unfolds what is below it. */
  .fold {
    display: inline-flex;
    gap: 0.5rem;
    align-items: center;
    min-height: 2.5rem;
    padding: 0.25rem 0.875rem;
    border: 1px solid var(--wa-color-neutral-border-loud);
    border-radius: 0.375rem;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  .fold:hover,
  .fold[aria-expanded='true'] {
    background: var(--wa-color-neutral-fill-quiet);
  }
  .scroll {
    overflow-x: auto;
  }
  /* Lists that scroll in themselves. */
  .scrolled {
    max-height: 14rem;
    overflow-y: auto;
    padding: 0.25rem 0.5rem;
    border: 1px solid var(--wa-color-surface-border);
    border-radius: 0.375rem;
  }
  /* Bars that stay in sight while what they belong to is scrolled. */
  .sticky {
    position: sticky;
    inset-block-end: 0;
    z-index: 2;
    padding-block: 0.75rem;
    background: var(--wa-color-surface-default);
  }
  /* Texts of a file: lines as they are. */
  .file-text {
    font-family: var(--wa-font-family-code);
    tab-size: 4;
    white-space: pre;
    overflow: auto;
  }
  .description {
    max-width: 45rem;
    white-space: pre-line;
  }
  .near,
  .full {
    color: var(--wa-color-warning-on-quiet);
    font-weight: 600;
  }
  .over {
    color: var(--wa-color-danger-on-quiet);
    font-weight: 600;
  }
  .problem {
    color: var(--wa-color-danger-on-quiet);
  }
  progress {
    width: 100%;
    accent-color: var(--wa-color-brand-fill-loud);
  }
  /* A place where files are chosen or dropped, with the class over while one is above it. */
  .drop {
    display: grid;
    justify-items: center;
    gap: 0.5rem;
    padding: 1.25rem;
    border: 2px dashed var(--wa-color-neutral-border-loud);
    border-radius: 0.5rem;
    text-align: center;
  }
  .drop.over {
    border-color: var(--wa-color-brand-border-loud);
    background: var(--wa-color-brand-fill-quiet);
  }
  .drop input {
    max-width: 100%;
    min-height: 2rem;
  }
  /* On narrow screens, the cells of a table with data-label are stacked, each after the name of its column. */
  @media (max-width: 40rem) {
    table:has([data-label]) {
      thead {
        position: absolute;
        width: 1px;
        height: 1px;
        overflow: hidden;
        clip-path: inset(50%);
      }
      &,
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
  }
`
