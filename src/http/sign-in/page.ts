import { hash } from 'node:crypto'
import type { PortalError } from '../../errors.ts'
import { fileNames } from '../pages/assets.ts'
import { type Content, Html, html } from '../pages/html.ts'
import type { AskedAgain, ShownPage } from './page-row.ts'
import { english, languages, type PageTexts } from './texts.ts'

/** A sentence for the person, and the same for programs that read it in the page. */
export interface PageProblem {
  readonly shown: string
  readonly forPrograms: string
}

export function wrongPassword(texts: PageTexts): PageProblem {
  return { shown: texts.text('wrongPassword'), forPrograms: english.text('wrongPassword') }
}

/** Names the time to wait: programs get the sentence alone (observed). */
export function tooManyAttempts(texts: PageTexts, { reasons, retryAfterSeconds }: PortalError): PageProblem {
  const time = retryAfterSeconds === undefined ? undefined : texts.waitingTime(retryAfterSeconds)
  const inWords = time === undefined ? [] : [texts.text('waitingTime', { time })]
  const more = texts.language === 'en' ? reasons : inWords
  return {
    shown: [texts.text('tooManyAttempts'), ...more].join(' '),
    forPrograms: english.text('tooManyAttempts'),
  }
}

/** Surroundings of a page: where it is, its language, and how it is asked for in another one. */
export interface Surroundings {
  readonly contextPath: string
  readonly texts: PageTexts
  readonly again: AskedAgain | undefined
}

/** A whole page of sign-in. */
export function formatPage({ title, body, hasPassword }: ShownPage, surroundings: Surroundings): string {
  const { contextPath, texts } = surroundings
  const file = (name: string) => `${contextPath}/directory/${name}`
  return html`<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${file(fileNames.icon)}">
<link rel="stylesheet" href="${file(fileNames.signInStyle)}">
</head>
<body>
<header><span class="brand" dir="ltr">Cartulary</span></header>
<main>
${body}
</main>
${formatLanguages(surroundings)}
${hasPassword && html`<script>${new Html(showScript)}</script>`}
</body>
</html>
`.markup
}

/** Choice of the language; nothing on a page that is not asked for again. */
function formatLanguages({ texts, again }: Surroundings): Html {
  if (!again) return html`<footer></footer>`
  const fields = again.fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const choices = languages.map(
    ({ language, name }) =>
      html`<button name="language" value="${language}" lang="${language}"${language === texts.language && html` aria-current="true"`}>${name}</button>
`,
  )
  return html`<footer><form class="languages" method="${again.method}" action="${again.action}" aria-label="${texts.text('language')}">
${fields}${choices}</form></footer>`
}

/** The only script of these pages: without it, passwords are not shown. */
const showScript = `for (const button of document.querySelectorAll('.secret button')) {
  const field = button.previousElementSibling
  const show = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    button.setAttribute('aria-pressed', isShown)
  }
  button.hidden = false
  button.onclick = () => show(field.type === 'password')
  button.form.addEventListener('submit', () => show(false))
}`
const showScriptDigest = hash('sha256', showScript, 'base64')

/** Nothing of another origin, no script but its own; its form ends at the address of the app, which browsers check (observed). */
export function policyOf({ formTarget, hasPassword }: ShownPage): string {
  const targets = formTarget === undefined ? "'self'" : `'self' ${formTarget}`
  const script = hasPassword ? ` script-src 'sha256-${showScriptDigest}';` : ''
  return `default-src 'none';${script} style-src 'self'; img-src 'self'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}

/** Field of a password, and the button that shows it. */
export function formatPassword(
  texts: PageTexts,
  name: 'password' | 'newPassword' | 'repeated',
  label: string,
  attributes: Html,
): Html {
  return html`<p><label for="${name}">${label}</label>
<span class="secret"><input id="${name}" name="${name}" type="password" ${attributes} required><button type="button" class="quiet" aria-controls="${name}" aria-pressed="false" hidden>${texts.text('show')}</button></span></p>`
}

/** Field of a username that is typed; it has the focus while it is empty. */
export function formatUsername(texts: PageTexts, username: string | undefined): Html {
  return html`<p><label for="username">${texts.text('username')}</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${username ?? ''}"${!username && html` autofocus`}></p>`
}

export function formatProblem(message: string | undefined): Html | undefined {
  return message === undefined ? undefined : html`<p role="alert" class="problem">${message}</p>`
}

/** A page with a sentence and, below it, what can be done. */
export function messagePage(heading: string, sentence: Content, more: Html | undefined = undefined): ShownPage {
  return { title: `${heading} – Cartulary`, body: html`<h1>${heading}</h1>\n<p role="alert">${sentence}</p>\n${more}` }
}

/** Line for programs and administrators below a message: in English, whatever the language of the page. */
export function formatReference(text: string): Html {
  return html`<p class="reference" lang="en" dir="ltr">${text}</p>`
}

/** A refusal by its sentence, which is English; people who read another language see that something was refused. */
export function refusedPage(texts: PageTexts, code: number, sentence: string): ShownPage {
  const page =
    texts.language === 'en'
      ? messagePage(texts.text('notDone'), sentence, formatReference(`Error: ${code}`))
      : messagePage(texts.text('notDone'), texts.text('notDoneText'), formatReference(`Error: ${code}. ${sentence}`))
  return { ...page, outcome: code }
}
