import { css } from 'lit'

/** Style of every element of the application, in its shadow root: texts, tables, panels, rows and stacks. */
export const baseStyle = css`
  :host {
    display: block;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  /* A text has the direction of its first letter, whatever is around it: brackets and slashes at its ends belong to it. */
  a,
  b,
  del,
  em,
  i,
  ins,
  small,
  span,
  strong,
  time {
    unicode-bidi: plaintext;
  }
  h1,
  h2,
  h3 {
    margin: 0;
    font-weight: 600;
    line-height: 1.25;
  }
  [tabindex='-1']:focus {
    outline: none;
  }
  h1 {
    font-size: 1.5rem;
  }
  h2 {
    font-size: 1.125rem;
  }
  h3 {
    font-size: 1rem;
  }
  p,
  ul,
  ol,
  dl,
  dd,
  figure {
    margin: 0;
  }
  ul,
  ol {
    padding-inline-start: 1.25rem;
  }
  ul[role='list'],
  ol[role='list'] {
    padding: 0;
    list-style: none;
  }
  a {
    color: var(--wa-color-text-link);
    text-underline-offset: 0.15em;
  }
  a:hover {
    text-decoration-thickness: 2px;
  }
  :focus-visible {
    outline: 2px solid var(--wa-color-focus);
    outline-offset: 2px;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: 0.875rem;
  }
  th,
  td {
    padding: 0.5rem 0.75rem;
    border-bottom: 1px solid var(--wa-color-surface-border);
    text-align: start;
    vertical-align: top;
  }
  th {
    font-weight: 500;
    color: var(--wa-color-text-quiet);
  }
  th[scope='row'] {
    color: inherit;
  }
  th .quiet {
    font-weight: normal;
  }
  code {
    font-family: var(--wa-font-family-code);
    direction: ltr;
    unicode-bidi: isolate;
  }
  .stack {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1rem;
    align-content: start;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.75rem;
    align-items: center;
  }
  .row > .end {
    margin-inline-start: auto;
  }
  .quiet {
    color: var(--wa-color-text-quiet);
  }
  .panel {
    padding: 1rem;
    border: 1px solid var(--wa-color-surface-border);
    border-radius: 0.5rem;
    background: var(--wa-color-surface-raised);
  }
  /* Names, each with what there is to say. */
  dl.facts {
    display: grid;
    grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr);
    gap: 0.375rem 1rem;
  }
  .facts dt {
    color: var(--wa-color-text-quiet);
  }
  .facts dd {
    min-width: 0;
  }
  /* Facts in a quiet line. */
  dl.line,
  .line > div {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.375rem;
    align-items: center;
    color: var(--wa-color-text-quiet);
  }
  dl.line {
    column-gap: 1.25rem;
  }
  @media (max-width: 30rem) {
    dl.facts {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
    .facts dd {
      margin-block-end: 0.5rem;
    }
  }
  summary {
    min-height: 1.75rem;
    cursor: pointer;
  }
  /* It stands in a sentence. */
  cartulary-moment {
    display: inline;
  }
  summary::marker {
    color: var(--wa-color-text-quiet);
  }
  /* Words of a button are broken only where the line is shorter than one of them. */
  wa-button {
    max-width: 100%;
    overflow-wrap: break-word;
  }
  wa-button::part(base) {
    height: auto;
    min-height: var(--wa-form-control-height);
    padding-block: 0.25rem;
    line-height: 1.25;
    white-space: normal;
  }
  .pager wa-icon:dir(rtl) {
    scale: -1 1;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media print {
    h1,
    h2,
    h3 {
      break-after: avoid;
    }
    tr,
    li,
    .panel {
      break-inside: avoid;
    }
    nav:not(.print),
    button,
    wa-button,
    .no-print {
      display: none !important;
    }
  }
`
