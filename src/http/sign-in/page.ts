import { fileNames } from '../pages/assets.ts'
import { type Html, html } from '../pages/html.ts'
import type { ShownPage } from './page-row.ts'

/** Sentences of every page that takes a password, on one that is refused. */
export const passwordSentences = {
  wrong: 'Invalid username or password.',
  tooMany: 'Too many invalid attempts. Please try again later.',
  toChange: 'This password has to be changed before you can sign in.',
} as const

/** A whole page of sign-in. */
export function formatPage({ title, body }: ShownPage, contextPath: string): string {
  const file = (name: string) => `${contextPath}/directory/${name}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${file(fileNames.icon)}">
<link rel="stylesheet" href="${file(fileNames.signInStyle)}">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.markup
}

/** Nothing of another origin, no script; its form ends at the address of the app, which browsers check (observed). */
export function policyOf({ formTarget }: ShownPage): string {
  const targets = formTarget === undefined ? "'self'" : `'self' ${formTarget}`
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}

/** A page with a sentence and, below it, what can be done. */
export function messagePage(heading: string, sentence: string, more: Html | undefined = undefined): ShownPage {
  return { title: `${heading} – Cartulary`, body: html`<h1>${heading}</h1>\n<p role="alert">${sentence}</p>\n${more}` }
}
