import { css } from 'lit'

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
