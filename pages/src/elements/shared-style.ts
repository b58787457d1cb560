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
  :is(a, b, del, em, i, ins, small, span, strong, time) {
    unicode-bidi: plaintext;
  }
  :is(h1, h2, h3) {
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
  :is(p, ul, ol, dl, dd, figure) {
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
  dl.line > div {
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
    :is(h1, h2, h3) {
      break-after: avoid;
    }
    tr,
    li,
    .panel {
      break-inside: avoid;
    }
    :is(nav:not(.print), button, wa-button, .no-print) {
      display: none !important;
    }
  }
`

/**
 * Fields of forms, as the browser has them: `<label class="field"><span>Name</span><input><small>Up to 100 characters</small></label>`;
 * a box to tick is `<label class="tick"><input type="checkbox">Words</label>`.
 */
export const fieldStyle = css`
  .field {
    display: grid;
    gap: 0.25rem;
    align-content: start;
    min-width: 0;
    max-width: 36rem;
  }
  /* For a choice among long names: a line of its own between fields that stand beside each other. */
  .field.wide {
    grid-column: 1 / -1;
  }
  .field > span {
    font-size: 0.875rem;
    font-weight: 500;
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    margin-block-end: 0.25rem;
    padding: 0;
    font-weight: 600;
  }
  small {
    color: var(--wa-color-text-quiet);
    font-size: 0.875rem;
  }
  /* Elements that have a field of another look say so after this. */
  :where(input, select, textarea) {
    min-width: 0;
    font: inherit;
    color: inherit;
    accent-color: var(--wa-color-brand-fill-loud);
  }
  :where(input:not([type='checkbox'], [type='radio'], [type='file']), select, textarea) {
    width: 100%;
    min-height: 2.5rem;
    padding: 0.375rem 0.75rem;
    border: 1px solid var(--wa-color-neutral-border-loud);
    border-radius: 0.375rem;
    background: var(--wa-color-surface-default);
  }
  input[type='search'] {
    padding-inline-start: 2.25rem;
    background-image: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='%23717584' stroke-width='1.5' stroke-linecap='round'%3E%3Ccircle cx='7' cy='7' r='4.75'/%3E%3Cpath d='m10.75 10.75 3.5 3.5'/%3E%3C/svg%3E");
    background-position: left 0.75rem center;
    background-repeat: no-repeat;
    background-size: 1rem;
  }
  input[type='search']:dir(rtl) {
    background-position: right 0.75rem center;
  }
  input[type='file'] {
    max-width: 100%;
  }
  input[type='file']::file-selector-button {
    min-height: var(--wa-form-control-height);
    margin-inline-end: 0.75rem;
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--wa-color-neutral-border-loud);
    border-radius: 0.375rem;
    background: transparent;
    color: inherit;
    font: inherit;
    font-weight: 500;
    cursor: pointer;
  }
  input[type='file']::file-selector-button:hover {
    background: var(--wa-color-neutral-fill-quiet);
  }
  /* Its parts have the focus one after the other, which browsers do not count as a focus of the field that is to be seen. */
  input[type='datetime-local']:focus-within {
    outline: 2px solid var(--wa-color-focus);
    outline-offset: 2px;
  }
  select {
    text-overflow: ellipsis;
  }
  :where(textarea) {
    min-height: 5rem;
    resize: vertical;
  }
  .tick {
    display: flex;
    gap: 0.5rem;
    align-items: start;
    min-height: 1.75rem;
  }
  .tick > span {
    min-width: 0;
  }
  :where(input, select, textarea):user-invalid {
    border-color: var(--wa-color-danger-border-loud);
  }
  input[type='checkbox'],
  input[type='radio'] {
    flex: none;
    width: 1.5rem;
    height: 1.5rem;
    margin: 0;
  }
  @media (pointer: fine) {
    :where(input:not([type='checkbox'], [type='radio'], [type='file']), select) {
      min-height: 2.25rem;
      padding-block: 0.25rem;
    }
    .tick {
      min-height: 1.5rem;
    }
    input[type='checkbox'],
    input[type='radio'] {
      width: 1.125rem;
      height: 1.125rem;
      margin-block: 0.1875rem;
    }
  }
`

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
  /* Nested lists of categories with lines from parents to children. */
  .tree .tree {
    margin-inline-start: 0.6rem;
    padding-inline-start: 0.75rem;
    border-inline-start: 1px solid var(--wa-color-surface-border);
  }
  .tree .line {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.5rem;
    align-items: baseline;
    padding-block: 0.2rem;
  }
  .tree .line > * {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .tree .note {
    font-size: 0.875rem;
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
  polyline {
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    vector-effect: non-scaling-stroke;
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
  :where(.links a) {
    padding: 0.25rem 0.5rem;
  }
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
  /* Rows of which one or several are chosen. */
  :is([role='option'], [role='treeitem']):hover {
    background: var(--wa-color-neutral-fill-quiet);
  }
  :is([role='option'], [role='treeitem'])[aria-selected='true'] {
    background: var(--wa-color-brand-fill-quiet);
    box-shadow: inset 0 0 0 1px var(--wa-color-brand-border-loud);
  }
  @media (forced-colors: active) {
    :is([role='option'], [role='treeitem'])[aria-selected='true'] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
  /* Screens of one family, as links at the top of each of them. */
  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.25rem;
    margin-block-end: 1.25rem;
    border-block-end: 1px solid var(--wa-color-surface-border);
  }
  .tabs a {
    display: block;
    padding: 0.5rem 0.75rem;
    border-block-end: 3px solid transparent;
    color: var(--wa-color-text-normal);
    text-decoration: none;
  }
  .tabs a:hover {
    background: var(--wa-color-neutral-fill-quiet);
  }
  .tabs a[aria-current] {
    border-block-end-color: var(--wa-color-brand-border-loud);
    font-weight: 600;
  }
  /* There a border is seen although it is transparent. */
  @media (forced-colors: active) {
    .tabs a:not([aria-current]) {
      border-block-end-color: Canvas;
    }
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
  /* One that shows an icon, without a border. */
  .tool {
    justify-content: center;
    min-width: 2.5rem;
    padding-inline: 0.625rem;
    border-color: transparent;
    text-decoration: none;
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
  /* A text to be copied or compared. */
  .box {
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--wa-color-surface-border);
    border-radius: 0.375rem;
    background: var(--wa-color-surface-lowered);
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
