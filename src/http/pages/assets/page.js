// Signing in, sending forms and swapping what the server answers. The token is kept in this tab's session storage and
// travels in a header: never in an address, never in a cookie.

const root = document.documentElement
const base = root.dataset.base
const storageKey = `cartulary ${base}`

root.classList.add('scripted')
// The server sends the page of an anonymous caller: hidden until that of the signed-in user is loaded.
if (readSession()) root.classList.add('waiting')

document.addEventListener('DOMContentLoaded', () => {
  showAccount()
  if (readSession() && dependsOnCaller()) load(false)
  else root.classList.remove('waiting')
})

// A page restored from the browser's history may show data of a user who has signed out since.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

document.addEventListener('formdata', ({ formData }) => {
  if (formData.get('clearEmptyFields') === 'true') return
  // An empty file field has a file without a name.
  const empty = [...formData].filter(([, value]) => value === '' || value.name === '')
  for (const [name] of empty) formData.delete(name)
})

document.addEventListener('submit', (event) => {
  const form = event.target
  // Attributes, because a field named "method" would hide the property.
  if (form.getAttribute('method') === 'get') {
    const query = new URLSearchParams(new FormData(form))
    if (!readSession() || !query.has('f') || query.get('f') === 'html') return
    event.preventDefault()
    save(`${form.getAttribute('action')}?${query}`).catch(announceOutage)
    return
  }
  if (form.getAttribute('method') !== 'post') return
  event.preventDefault()
  if (form.hasAttribute('aria-busy')) return
  form.setAttribute('aria-busy', 'true')
  const sent = form.hasAttribute('data-sign-in') ? signIn(form) : send(form)
  sent.catch(announceOutage).finally(() => form.removeAttribute('aria-busy'))
})

document.addEventListener('click', ({ target }) => {
  const action = target.closest('[data-action]')?.dataset.action
  if (action === 'sign-in') showSignIn('')
  if (action === 'sign-out') signOut().catch(announceOutage)
  if (action === 'cancel') signInDialog().close()
})

function readSession() {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey))
  } catch {
    return null
  }
}

function keepSession(session) {
  if (session) sessionStorage.setItem(storageKey, JSON.stringify(session))
  else sessionStorage.removeItem(storageKey)
  showAccount()
}

function showAccount() {
  const session = readSession()
  document.querySelector('#who').textContent = session ? `Signed in as ${session.username}` : ''
  document.querySelector('.banner [data-action=sign-in]').hidden = session !== null
  document.querySelector('.banner [data-action=sign-out]').hidden = session === null
}

/** A request to this server, with the token in its header. */
function request(url, body) {
  const session = readSession()
  return fetch(url, {
    method: body ? 'POST' : 'GET',
    body,
    headers: { Accept: 'text/html', ...(session ? { 'X-Esri-Authorization': `Bearer ${session.token}` } : {}) },
    credentials: 'omit',
    cache: 'no-store',
  })
}

/** A page with a form that is sent by POST is the same for all. */
function dependsOnCaller() {
  return document.querySelector('main form[method=post]') === null
}

/** Loads this page again for the present user. */
async function load(movesFocus) {
  const url = new URL(location.href)
  url.hash = ''
  url.searchParams.set('f', 'html')
  url.searchParams.delete('token')
  try {
    const page = parsePage(await (await request(url)).text())
    if (page.outcome === '498') {
      keepSession(null)
      showSignIn('Your sign-in has ended. Sign in again.')
      return
    }
    swap(page)
    // A hidden element cannot be focused.
    root.classList.remove('waiting')
    if (movesFocus || document.activeElement === document.body) document.querySelector('#heading').focus()
  } catch {
    announceOutage()
  } finally {
    root.classList.remove('waiting')
  }
}

/** Sends the form of an operation and shows the answer on its page. */
async function send(form) {
  announce('Sending …')
  // The answer to an earlier sending would be taken for this one's.
  document.querySelector('#answer').hidden = true
  const response = await request(form.getAttribute('action'), bodyOf(form))
  const fileName = fileNameOf(response)
  if (fileName !== undefined) {
    // A second press would make another one.
    form.reset()
    return offerFile(fileName, await response.blob(), relatedLinks(response))
  }
  const page = parsePage(await response.text())
  if (page.outcome === '498' || page.outcome === '499') {
    // The form keeps its values.
    announce('')
    if (page.outcome === '498') keepSession(null)
    showSignIn('Sign in, then send the form again.')
    return
  }
  // The request reached no operation, for example because it is too large: the form keeps its values.
  if (page.main.dataset.kind === undefined) {
    announce(page.main.querySelector('#answer-heading').textContent)
    return
  }
  swap(page)
  if (page.outcome) keepValues(form)
  announceAnswer()
}

/** A form with files is sent as multipart, any other urlencoded. */
function bodyOf(form) {
  const data = new FormData(form)
  return form.getAttribute('enctype') === 'multipart/form-data' ? data : new URLSearchParams(data)
}

/** Copies to the new page what the server cannot fill in of a form that keeps its values: files, and texts that are too long. */
function keepValues(form) {
  for (const { id, files } of form.querySelectorAll('input[type=file]')) document.getElementById(id).files = files
  for (const { id, value } of form.querySelectorAll('textarea, input[type=text]')) {
    const field = document.getElementById(id)
    if (field.value === '') field.value = value
  }
}

/** Saves what an address answers, as the signed-in user. */
async function save(address) {
  announce('Loading …')
  const response = await request(address)
  const blob = await response.blob()
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  const { error } = isJson ? JSON.parse(await blob.text()) : {}
  if (error) {
    announce([error.message, ...error.details, ...(error.reasons ?? [])].join(' '))
    return
  }
  const file = document.createElement('a')
  file.href = URL.createObjectURL(blob)
  file.download = fileNameOf(response) ?? (isJson ? 'answer.json' : 'answer.txt')
  file.click()
  announce(`Saved as ${file.download}.`)
}

function fileNameOf(response) {
  return /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
}

/** Parses a page. Its texts were escaped by the server, and a parsed document runs no scripts. */
function parsePage(markup) {
  const parsed = new DOMParser().parseFromString(markup, 'text/html')
  const main = parsed.querySelector('main')
  if (!main) throw new TypeError('The answer is not a page.')
  return { main, title: parsed.title, outcome: main.dataset.outcome }
}

function swap({ main, title }) {
  document.querySelector('main').replaceWith(main)
  document.title = title
}

/** Links to what a file is about, as text and address. */
function relatedLinks(response) {
  const links = response.headers.get('link') ?? ''
  return [...links.matchAll(/<([^>]*)>; rel="related"; title="([^"]*)"/g)].map(([, href, text]) => ({ href, text }))
}

function offerFile(name, blob, related) {
  const heading = document.createElement('h2')
  heading.id = 'answer-heading'
  heading.tabIndex = -1
  heading.textContent = 'Done'
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.textContent = `Save ${name}`
  const paragraph = document.createElement('p')
  paragraph.append('The answer is a file. ', link)
  const answer = document.createElement('section')
  answer.id = 'answer'
  answer.className = 'done'
  answer.setAttribute('aria-labelledby', heading.id)
  answer.append(heading, paragraph)
  if (related.length > 0) answer.append(listLinks(related))
  document.querySelector('#answer').replaceWith(answer)
  announceAnswer()
}

function listLinks(related) {
  const list = document.createElement('ul')
  for (const { href, text } of related) {
    const link = document.createElement('a')
    link.href = href
    link.textContent = text
    const entry = document.createElement('li')
    entry.append(link)
    list.append(entry)
  }
  const links = document.createElement('nav')
  links.className = 'next'
  links.setAttribute('aria-label', 'Next')
  links.append(list)
  return links
}

function announceAnswer() {
  const heading = document.querySelector('#answer-heading') ?? document.querySelector('#heading')
  announce(heading.textContent)
  heading.focus()
}

function signInDialog() {
  return document.querySelector('#sign-in')
}

function showSignIn(problem) {
  document.querySelector('#sign-in-problem').textContent = problem
  if (!signInDialog().open) signInDialog().showModal()
}

async function signIn(form) {
  const response = await request(`${base}/generateToken`, signInBody(form))
  const { token, error } = await response.json()
  form.elements.password.value = ''
  if (!token) {
    showSignIn([error.message, ...error.details, ...(error.reasons ?? [])].join(' '))
    form.elements.password.focus()
    return
  }
  const username = form.elements.username.value
  keepSession({ token, username })
  form.reset()
  signInDialog().close()
  if (dependsOnCaller()) await load(true)
  else if (!document.querySelector('main').contains(document.activeElement)) document.querySelector('#heading').focus()
  announce(`Signed in as ${username}.`)
}

function signInBody(form) {
  const body = new URLSearchParams(new FormData(form))
  body.set('f', 'json')
  return body
}

async function signOut() {
  const { token } = readSession()
  keepSession(null)
  await request(`${base}/oauth2/revokeToken`, new URLSearchParams({ auth_token: token, f: 'json' }))
  await load(true)
  announce('Signed out.')
}

function announce(text) {
  document.querySelector('#notice').textContent = text
}

function announceOutage() {
  const outage = 'The server could not be reached. Try again.'
  if (signInDialog().open) showSignIn(outage)
  else announce(outage)
}
