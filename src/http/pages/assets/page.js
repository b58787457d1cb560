// Signing in, sending forms and swapping what the server answers. The token is kept in this tab's session storage and
// travels in a header: never in an address, never in a cookie.

const root = document.documentElement
const base = root.dataset.base
const storageKey = `cartulary ${base}`

root.classList.add('scripted')
// Until the answer for the signed-in user is there, the one for nobody stays hidden.
if (readSession()) root.classList.add('waiting')

document.addEventListener('DOMContentLoaded', () => {
  showAccount()
  if (readSession() && dependsOnCaller()) load(false)
  else root.classList.remove('waiting')
})

// A page that history brings back as it was may show what a user who has signed out since had seen.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

document.addEventListener('formdata', ({ formData }) => {
  if (formData.get('clearEmptyFields') === 'true') return
  // A file that was not chosen has no name.
  const empty = [...formData].filter(([, value]) => value === '' || value.name === '')
  for (const [name] of empty) formData.delete(name)
})

document.addEventListener('submit', (event) => {
  const form = event.target
  // Attributes, because a field named "method" would hide the property.
  if (form.getAttribute('method') !== 'post') return
  event.preventDefault()
  if (form.hasAttribute('aria-busy')) return
  form.setAttribute('aria-busy', 'true')
  const sent = form.hasAttribute('data-sign-in') ? signIn(form) : send(form)
  sent.catch(tellOutage).finally(() => form.removeAttribute('aria-busy'))
})

document.addEventListener('click', ({ target }) => {
  const action = target.closest('[data-action]')?.dataset.action
  if (action === 'sign-in') askForSignIn('')
  if (action === 'sign-out') signOut().catch(tellOutage)
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
function ask(url, body) {
  const session = readSession()
  return fetch(url, {
    method: body ? 'POST' : 'GET',
    body,
    headers: { Accept: 'text/html', ...(session ? { 'X-Esri-Authorization': `Bearer ${session.token}` } : {}) },
    credentials: 'omit',
    cache: 'no-store',
  })
}

/** The form of an operation is the same for everybody, and may be filled in already. */
function dependsOnCaller() {
  return document.querySelector('main').dataset.kind !== 'operation'
}

/** Reads this page again for whoever is signed in now. */
async function load(isAsked) {
  const url = new URL(location.href)
  url.hash = ''
  url.searchParams.set('f', 'html')
  url.searchParams.delete('token')
  try {
    const page = parsePage(await (await ask(url)).text())
    if (page.outcome === '498') {
      keepSession(null)
      askForSignIn('Your sign-in has ended. Sign in again.')
      return
    }
    swap(page)
    // What is hidden takes no focus.
    root.classList.remove('waiting')
    if (isAsked || document.activeElement === document.body) document.querySelector('#heading').focus()
  } catch {
    tellOutage()
  } finally {
    root.classList.remove('waiting')
  }
}

/** Sends the form of an operation and shows the answer on its page. */
async function send(form) {
  tell('Sending …')
  const response = await ask(form.getAttribute('action'), bodyOf(form))
  const fileName = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  if (fileName !== undefined) return offerFile(fileName, await response.blob())
  const page = parsePage(await response.text())
  if (page.outcome === '498' || page.outcome === '499') {
    // What was filled in stays where it is.
    tell('')
    if (page.outcome === '498') keepSession(null)
    askForSignIn('Sign in, then send the form again.')
    return
  }
  // A request that reached no operation, one that is too large for example: the form stays to be changed.
  if (page.main.dataset.kind === undefined) {
    tell(page.main.querySelector('#answer-heading').textContent)
    return
  }
  swap(page)
  if (page.outcome) keepFiles(form)
  tellAnswer()
}

/** A form with files goes as multipart, any other urlencoded. */
function bodyOf(form) {
  const data = new FormData(form)
  return form.getAttribute('enctype') === 'multipart/form-data' ? data : new URLSearchParams(data)
}

/** What was refused stays chosen; the server cannot fill in a file. */
function keepFiles(form) {
  for (const { id, files } of form.querySelectorAll('input[type=file]')) document.getElementById(id).files = files
}

/** The markup of a page; its texts were escaped by the server, and nothing in it runs before it is put in place. */
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

function offerFile(name, blob) {
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
  document.querySelector('#answer').replaceWith(answer)
  tellAnswer()
}

function tellAnswer() {
  const heading = document.querySelector('#answer-heading')
  tell(heading.textContent)
  heading.focus()
}

function signInDialog() {
  return document.querySelector('#sign-in')
}

function askForSignIn(problem) {
  document.querySelector('#sign-in-problem').textContent = problem
  if (!signInDialog().open) signInDialog().showModal()
}

async function signIn(form) {
  const response = await ask(`${base}/generateToken`, signInBody(form))
  const { token, error } = await response.json()
  form.elements.password.value = ''
  if (!token) {
    askForSignIn([error.message, ...error.details].join(' '))
    form.elements.password.focus()
    return
  }
  const username = form.elements.username.value
  keepSession({ token, username })
  form.reset()
  signInDialog().close()
  if (dependsOnCaller()) await load(true)
  else if (!document.querySelector('main').contains(document.activeElement)) document.querySelector('#heading').focus()
  tell(`Signed in as ${username}.`)
}

function signInBody(form) {
  const body = new URLSearchParams(new FormData(form))
  body.set('f', 'json')
  return body
}

async function signOut() {
  const { token } = readSession()
  keepSession(null)
  await ask(`${base}/oauth2/revokeToken`, new URLSearchParams({ auth_token: token, f: 'json' }))
  await load(true)
  tell('Signed out.')
}

function tell(text) {
  document.querySelector('#notice').textContent = text
}

function tellOutage() {
  const outage = 'The server could not be reached. Try again.'
  if (signInDialog().open) askForSignIn(outage)
  else tell(outage)
}
