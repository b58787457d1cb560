import { css, html } from 'lit'
import { fieldStyle } from '../elements/field-style.ts'

/** Forms within a screen: fields beside each other where there is room. */
export const formStyle = [
  fieldStyle,
  css`
    form {
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
    .field {
      min-width: 0;
      overflow-wrap: anywhere;
    }
    input:user-invalid,
    select:user-invalid,
    textarea:user-invalid {
      border-color: var(--wa-color-danger-border-loud);
    }
  `,
]

/** Hidden button that makes Enter submit the form: buttons of Web Awesome alone do not. */
export const enterSubmits = html`<button type="submit" hidden></button>`
