import { html } from 'lit'

/** Hidden button that makes Enter submit the form: buttons of Web Awesome alone do not. */
export const enterSubmits = html`<button type="submit" hidden></button>`
