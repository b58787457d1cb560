// The token of this tab is kept in its session storage, and sent in a header or a form: never in an address, never in a cookie.
const root = document.documentElement
const key = `cartulary ${root.dataset.base}`
const find = (selector) => document.querySelector(selector)
const readSession = () => JSON.parse(sessionStorage.getItem(key))
root.classList.add('scripted', readSession() ? 'waiting' : 'anonymous')
function keepSession(session) {
  sessionStorage[session ? 'setItem' : 'removeItem'](key, JSON.stringify(session))
  for (const name of ['signed-in', 'waiting']) root.classList.toggle(name, session !== null)
  find('#notice').textContent = session ? `Signed in as ${session.username}.` : ''
}
function askToSignIn(problem) {
  keepSession(null)
  find('#sign-in-problem').textContent = problem
  if (!find('#sign-in').open) find('#sign-in').showModal()
}
/** Shows a resource as the signed-in user sees it; the answer to a form is that already. */
async function showAsUser() {
  const session = readSession()
  if (session && find('main[data-kind=resource]:not([data-sent=here])')) {
    const headers = { Accept: 'text/html', 'X-Esri-Authorization': `Bearer ${session.token}` }
    const query = [...new URLSearchParams(location.search)].filter(([name]) => name.toLowerCase() !== 'token')
    const address = `${location.pathname}?${new URLSearchParams(query)}`
    const page = new DOMParser().parseFromString(await (await fetch(address, { headers })).text(), 'text/html')
    find('main').replaceWith(document.adoptNode(page.querySelector('main')))
    document.title = page.title
  }
  root.classList.remove('waiting')
  const { outcome, sent } = find('main').dataset
  if (/49[89]/.test(outcome) && (sent ? sent === 'here' : session)) askToSignIn('Sign in, then repeat this.')
  else if ((session || sent) && !find(':focus')) (find('#answer-heading') ?? find('#heading')).focus()
}
async function signIn(form) {
  const body = new URLSearchParams(new FormData(form))
  const { token, error } = await (await fetch(`${root.dataset.base}/generateToken`, { method: 'POST', body })).json()
  form.elements.password.value = ''
  if (error) return askToSignIn([error.message, ...error.details, ...(error.reasons ?? [])].join(' '))
  keepSession({ token, username: body.get('username') })
  find('#sign-in').close() ?? document.activeElement.blur() ?? find('main').removeAttribute('data-outcome')
  await showAsUser()
}
function reportOutage() {
  root.classList.remove('waiting')
  for (const id of ['notice', 'sign-in-problem']) find(`#${id}`).textContent = 'The server could not be reached.'
}
addEventListener('DOMContentLoaded', () => keepSession(readSession()) ?? showAsUser().catch(reportOutage))
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
addEventListener('click', ({ target }) => target.matches('[data-action=sign-in]') && askToSignIn(''))
addEventListener('submit', (event) => {
  if ('reads' in event.target.dataset) event.target.setAttribute('method', 'get')
  if (event.target.id === 'sign-in-form' && event.submitter.formMethod !== 'dialog')
    event.preventDefault() ?? signIn(event.target).catch(reportOutage)
})
addEventListener('formdata', ({ target, formData }) => {
  const isRead = target.getAttribute('method') === 'get'
  const isEmpty = (name) => formData.get(name) === '' || name === 'f' || name === 'token'
  if (isRead) for (const name of [...formData.keys()].filter(isEmpty)) formData.delete(name)
  else if (target.id !== 'sign-in-form' && readSession()) formData.set('token', readSession().token)
  if (target.id === 'sign-out') keepSession(null)
})
