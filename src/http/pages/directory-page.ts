import { type ErrorEnvelope, parseAnswer, type Shown } from '../answer.ts'
import { type Endpoint, kindOf } from '../endpoints/endpoint.ts'
import { ancestorsOf, encodePath, type Ids, pathOf, segmentsOf } from '../endpoints/places.ts'
import { fileNames } from './assets.ts'
import { escapeDirection, formatProse, type Html, html } from './html.ts'
import { formatCrumbs, formatNeighbours, type Standpoint } from './links.ts'
import { formatForm } from './operation-form.ts'

/** Content of a page. */
export interface PageContent extends Standpoint {
  readonly contextPath: string
  /** Undefined for a path without a row. */
  readonly row: Endpoint | undefined
  /** Absent with `envelope` absent too: the form of what was not called. */
  readonly answer?: Shown
  /** Warnings for the caller, although nothing was refused. */
  readonly warnings?: readonly string[]
  readonly envelope?: ErrorEnvelope
  /** Text of a parameter of the request. */
  given(name: string): string | undefined
  /** Whether it answers a form. */
  readonly isSent: boolean
  /** Whether another page may have given those texts, by a link or a form of its own. */
  readonly isGivenElsewhere: boolean
}

/** Longer than any id or name, in characters: a page has each id in many links. */
const maxIdLength = 256

/** Maximum number of characters that are shown of an answer, and of a sentence about an error: a page is about as large for any answer. */
const maxShown = 128 * 1024
const maxSentenceLength = 2_000

function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text
}

function shortenIds(ids: Ids): Ids {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, shorten(id, maxIdLength)]))
}

/**
 * The page of a row: the value or the answer, the form, and the way to everything around it. Of long ids it shows the first
 * part.
 */
export function formatDirectoryPage(given: PageContent): string {
  const content = { ...given, ids: shortenIds(given.ids) }
  const { row, base, contextPath, answer } = content
  const value = answer && parseAnswer(answer)
  const called = row && kindOf(row) === 'resource' ? findName(value) : undefined
  const title = [called, row?.title ?? 'Error', 'Cartulary'].filter((part) => part !== undefined).join(' – ')
  const file = (fileName: string) => `${contextPath}/directory/${fileName}`
  return html`<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${file(fileNames.icon)}">
<link rel="stylesheet" href="${file(fileNames.style)}">
<script src="${file(fileNames.script)}"></script>
</head>
<body>
<a class="skip" href="#heading">Skip to the content</a>
${formatBanner(base)}
${formatMain(content, value, called)}
<footer><a href="${contextPath}/api${row && html`#${row.id.toLowerCase()}`}">Reference</a> ·
<a href="${contextPath}/openapi.json">OpenAPI document</a></footer>
${formatSignIn()}
</body>
</html>
`.markup
}

function formatBanner(base: string): Html {
  return html`<header class="banner">
<a class="home" href="${base}">Cartulary <span>directory</span></a>
<p id="notice" role="status"></p>
<button type="button" class="quiet" data-action="sign-in">Sign in</button>
<form id="sign-out" method="post" action="${base}/oauth2/revokeToken"><input type="hidden" name="f" value="html">
<button type="submit" class="quiet">Sign out</button></form>
<p class="meaning" data-unscripted><a href="${base}/generateToken?f=html">Get a token</a>, and give it in the forms below.</p>
</header>`
}

function formatSignIn(): Html {
  return html`<dialog id="sign-in" aria-labelledby="sign-in-heading">
<form id="sign-in-form" method="post"><input type="hidden" name="f" value="json">
<h2 id="sign-in-heading">Sign in</h2>
<p id="sign-in-problem" role="alert"></p>
<div class="field"><label for="sign-in-username">Username</label>
<input id="sign-in-username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required></div>
<div class="field"><label for="sign-in-password">Password</label>
<input id="sign-in-password" name="password" type="password" autocomplete="current-password" required></div>
<p class="meaning">You stay signed in within this tab for an hour at most, until you sign out or close it.</p>
<p><button type="submit">Sign in</button> <button type="submit" class="quiet" formmethod="dialog" formnovalidate>Cancel</button></p>
</form>
</dialog>`
}

function formatMain(content: PageContent, value: unknown, called: string | undefined): Html {
  const { row, ids, envelope, isSent } = content
  if (!row) {
    return html`<main data-outcome="${envelope?.error.code}">
<h1 id="heading" tabindex="-1">Error</h1>
${envelope && formatRefusal(envelope, undefined)}
<p><a href="${content.base}">To the root</a></p>
</main>`
  }
  const asked = findAsked(content, row)
  return html`<main data-kind="${kindOf(row)}" data-outcome="${envelope?.error.code}"${isSent && html` data-sent="${content.isGivenElsewhere ? 'elsewhere' : 'here'}"`}>
${formatCrumbs(content, row)}
<div class="lead">
<p class="kind">${kindOf(row)} <code>${pathOf(row, ids) || '/'}</code></p>
<h1 id="heading" tabindex="-1">${row.title}${called !== undefined && html` <span class="name">${called}</span>`}</h1>
<p class="summary">${formatProse(row.summary)}</p>
<p class="who">Who may call: ${formatProse(row.who)}.</p>
</div>
${row.path === '/' && formatWelcome(content)}
<div class="columns">
${!isAbsent(envelope) && formatNeighbours(content, row, isDryRun(value) ? undefined : value)}
<div class="content">
${formatOutcome(content, row, value)}
${formatForm(asked, content.base + pathOf(row, ids), filledIn(content, asked))}
</div>
</div>
</main>`
}

/** Returns the name of a resource; undefined where it has none. */
function findName(value: unknown): string | undefined {
  const { title, name, username } = (value ?? {}) as Readonly<Record<string, unknown>>
  const found = [title, name, username].find((text) => typeof text === 'string' && text.trim() !== '')
  return found === undefined ? undefined : escapeDirection(String(found))
}

/** The outcome of the request: the error, the answer of an operation, or the value of the resource. */
function formatOutcome(content: PageContent, row: Endpoint, value: unknown): Html {
  const { envelope, table, base, ids } = content
  // A deleted resource has no page to go back to.
  const above = ancestorsOf(table, row).at(!envelope && row.path.endsWith('/delete') ? -2 : -1)
  const back = above && html`<p><a href="${base}${pathOf(above, ids)}">Back to ${above.title}</a></p>`
  if (envelope) return formatRefusal(envelope, back)
  if (value === undefined) return html`<div id="answer"></div>`
  const body = html`${formatWarnings(content)}${formatJson(value)}${formatPaging(content, row, value)}`
  if (kindOf(row) === 'resource') return html`<section class="value" aria-labelledby="heading">${body}</section>`
  return html`<section id="answer" class="done" aria-labelledby="answer-heading">
<h2 id="answer-heading" tabindex="-1">${isDryRun(value) ? 'Dry run: nothing was changed' : 'Done'}</h2>
${body}${back}</section>`
}

function isDryRun(value: unknown): boolean {
  return (value as { readonly dryRun?: unknown } | null)?.dryRun === true
}

/** Whether there is nothing here on which the operations below could work. */
function isAbsent(envelope: ErrorEnvelope | undefined): boolean {
  return envelope !== undefined && envelope.error.code < 498
}

function formatWarnings({ warnings = [] }: PageContent): Html {
  if (warnings.length === 0) return html``
  return html`<div class="warnings"><p>Please check:</p><ul>${warnings.map((warning) => html`<li>${warning}</li>`)}</ul></div>`
}

function formatJson(value: unknown): Html {
  const text = escapeDirection(JSON.stringify(value, null, 2))
  const cut = text.length > maxShown && html`<p class="cut">This is the first part; f=json answers all of it.</p>`
  return html`<pre class="json" tabindex="0">${shorten(text, maxShown)}</pre>${cut}`
}

/** The parameters of a resource as they were given. */
function queryOf(row: Endpoint, given: PageContent['given']): URLSearchParams {
  const texts = Object.keys(row.parameters).map((name): [string, string] => [name, given(name) ?? ''])
  return new URLSearchParams(texts.filter(([, text]) => text !== ''))
}

function formatRefusal(envelope: ErrorEnvelope, back: Html | undefined): Html {
  const { code, messageCode, message, details, reasons = [] } = envelope.error
  const more = [...details, ...reasons]
    .filter((detail) => detail !== message)
    .map((detail) => shorten(detail, maxSentenceLength))
  const needsSignIn = code === 498 || code === 499
  return html`<section id="answer" class="refused" aria-labelledby="answer-heading">
<h2 id="answer-heading" tabindex="-1">${message}</h2>
<p class="code">Error ${code}${messageCode !== undefined && ` · ${messageCode}`}</p>
${more.length > 0 && html`<ul>${more.map((detail) => html`<li>${detail}</li>`)}</ul>`}
${needsSignIn && html`<p><button type="button" data-action="sign-in">Sign in</button></p>`}
${formatJson(envelope)}
${back}
</section>`
}

/** A link has no token; the script gives it one. */
const noToken = html`<span data-unscripted>Another page needs the token again: give its start in the form.</span>`

/** Links to the previous and next page of a list, with the parameters of this one. */
function formatPaging(content: PageContent, row: Endpoint, value: unknown): Html {
  const { start, num, nextStart, nextKey } = value as Readonly<Record<string, unknown>>
  if (!('start' in row.parameters)) return html``
  const link = (text: string, relation: string, place: number | string) => {
    const query = queryOf(row, (name) => (name === 'start' ? String(place) : content.given(name)))
    return html`<a rel="${relation}" href="${content.base}${pathOf(row, content.ids)}?${query.toString()}">${text}</a> `
  }
  const isCounted = typeof start === 'number' && typeof num === 'number'
  const before = isCounted && start > 1 && link('Previous page', 'prev', Math.max(1, start - num))
  const next = isCounted && typeof nextStart === 'number' && nextStart > 0 ? nextStart : nextKey
  const behind = (typeof next === 'number' || typeof next === 'string') && link('Next page', 'next', next)
  return before || behind
    ? html`<nav class="paging" aria-label="Pages">${before}${behind}${content.isSent && noToken}</nav>`
    : html``
}

/** The endpoint of the form: a resource whose path an operation has too is read by its link alone. */
function findAsked({ table }: PageContent, row: Endpoint): Endpoint {
  if (!row.sharesPath || kindOf(row) === 'operation') return row
  return table.find((other) => other.path === row.path && kindOf(other) === 'operation') ?? row
}

/**
 * The texts of the fields. After success they are empty; after a refusal or a dry run, or on a resource, they keep what was
 * given. In the form of an operation another page fills in nothing: by a link, anyone could have an administrator send values
 * of their choice with one click.
 */
function filledIn({ answer, given, isGivenElsewhere }: PageContent, row: Endpoint): PageContent['given'] {
  const isDone = answer !== undefined && !isDryRun(parseAnswer(answer))
  return kindOf(row) === 'operation' && (isDone || isGivenElsewhere) ? () => undefined : given
}

const ways = [
  ['/portals/self', 'The organization', 'its users, roles, category schema and collaborations'],
  ['/community/groups', 'Groups', 'who belongs to them, their category schemas and items'],
  ['/search', 'Items', 'search and browse by category'],
  ['/portals/self/collaborations', 'Collaborations', 'invitations between portals'],
  ['/community/self', 'You', 'your profile, privileges and groups'],
] as const

function formatWelcome({ base, contextPath }: { readonly base: string; readonly contextPath: string }): Html {
  const list = ways.map(
    ([path, name, about]) => html`<li><a href="${base}${encodePath(segmentsOf(path))}">${name}</a>: ${about}</li>`,
  )
  return html`<div class="welcome">
<p>This server keeps category schemas of groups and organizations, and the invitations by which portals begin to collaborate.
Programs call it as they call the ArcGIS Sharing REST API. Every address of that API is a page too: with its value, its
forms, and links to what is near. Most of them ask you to sign in first, by the button above.</p>
<ul>${list}</ul>
<p>All operations are in the <a href="${contextPath}/api">reference of the API</a>, for programs in the
<a href="${contextPath}/openapi.json">OpenAPI document</a>.</p>
</div>`
}
