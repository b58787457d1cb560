import { css } from 'lit'

/** Colours and sizes follow the page: the custom properties may be set from outside. */
export const pickerStyle = css`
  :host {
    --accent: var(--cartulary-picker-accent, light-dark(#0b5cad, #8ec5ff));
    --border: var(--cartulary-picker-border, light-dark(#767676, #999));
    --quiet: var(--cartulary-picker-quiet, light-dark(#595959, #b4b4b4));
    --danger: var(--cartulary-picker-danger, light-dark(#b00020, #ffb4ab));
    display: block;
    max-width: 36rem;
    color: var(--cartulary-picker-text, CanvasText);
    font: inherit;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  .box {
    border: 1px solid var(--border);
    border-radius: 0.375rem;
    background: var(--cartulary-picker-background, Canvas);
    overflow: hidden;
  }
  input {
    display: block;
    width: 100%;
    min-height: 2.5rem;
    padding: 0.375rem 0.75rem;
    border: 0;
    border-bottom: 1px solid var(--border);
    background: transparent;
    color: inherit;
    font: inherit;
  }
  ul {
    margin: 0;
    padding: 0.25rem;
    max-height: var(--cartulary-picker-height, 18rem);
    overflow: auto;
    list-style: none;
  }
  [role='treeitem'] {
    display: flex;
    gap: 0.375rem;
    align-items: center;
    min-height: 2rem;
    padding: 0.125rem 0.5rem;
    border-radius: 0.25rem;
    cursor: pointer;
  }
  .level-2 {
    margin-inline-start: 1.25rem;
  }
  .level-3 {
    margin-inline-start: 2.5rem;
  }
  .level-4 {
    margin-inline-start: 3.75rem;
  }
  [role='treeitem']:hover {
    background: color-mix(in srgb, var(--accent) 12%, transparent);
  }
  [aria-selected='true'] {
    font-weight: 600;
    background: color-mix(in srgb, var(--accent) 18%, transparent);
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
  }
  .turn,
  .mark {
    flex: none;
    display: grid;
    place-items: center;
    width: 1.5rem;
    height: 1.5rem;
  }
  /* A text has the direction of its first letter, whatever the page has. */
  .title,
  .stale {
    unicode-bidi: plaintext;
  }
  .title {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  svg {
    width: 1rem;
    height: 1rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  [aria-expanded='true'] > .turn svg {
    transform: rotate(90deg);
  }
  :host(:dir(rtl)) [aria-expanded='false'] > .turn svg {
    transform: rotate(180deg);
  }
  .note {
    margin: 0;
    padding: 0.75rem;
    color: var(--quiet);
  }
  .danger {
    color: var(--danger);
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.75rem;
    align-items: center;
    padding: 0.375rem 0.75rem;
    border-top: 1px solid var(--border);
    color: var(--quiet);
  }
  button {
    min-height: 1.75rem;
    padding: 0 0.5rem;
    border: 1px solid var(--border);
    border-radius: 0.25rem;
    background: transparent;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  .stale {
    text-decoration: line-through;
  }
  .box.off {
    opacity: 0.6;
    pointer-events: none;
  }
  @media (forced-colors: active) {
    [aria-selected='true'] {
      outline: 1px solid SelectedItem;
    }
  }
`
