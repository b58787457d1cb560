import { usernameKey, usernameLength } from '../../directory/user.ts'
import { passwordLinkMail } from '../../mail/texts.ts'
import { optionalText } from '../endpoints/parameter-types.ts'
import { lostPasswordPath, newPasswordAddress, signInTo } from '../endpoints/sign-in.ts'
import { type Html, html } from '../pages/html.ts'
import { beginSteps } from '../requests/steps.ts'
import { formatProblem, formatUsername, messagePage } from './page.ts'
import { type PageRow, pageRow, type ShownPage, type Visit } from './page-row.ts'

const parameters = {
  username: optionalText('Username of who has lost the password.', { maxLength: usernameLength.max }),
}

/** On which users have a link to a new password sent to them. */
export const lostPasswordRows: readonly PageRow[] = [
  pageRow({
    id: 'mailPasswordLink',
    title: 'Lost password',
    task: 'send a link',
    path: lostPasswordPath,
    methods: ['GET', 'POST'],
    effect: 'change',
    parameters,
    summary: 'Sends a link to a new password to the e-mail address of a user, where the server sends mail.',
    source: 'chosen',
    chosen: [
      'The answer is the same whether a link was sent or not.',
      'At most one link in ten minutes for each user, who is enabled and has an e-mail address and a password here.',
      'Each counts as a failed sign-in from its address, of which there are as few.',
    ],
    async answer(visit) {
      const { dependencies, input, method, publicUrl, run } = visit
      const { mailer, random } = dependencies
      if (!mailer) return notSent(visit)
      if ('problems' in input) return form(visit, visit.texts.text('giveUsername'))
      if (method === 'GET') return form(visit)
      if (visit.findCrossSiteOrigin() !== undefined) return form(visit, visit.texts.text('otherSite'))
      const username = input.value.username?.trim()
      if (!username) return form(visit, visit.texts.text('giveUsername'))
      const link = random.token()
      // A link is written for some names only: how long that takes would tell which.
      const nextStep = beginSteps()
      const { recipient } = await run('mailPasswordLink', {
        ...signInTo(username, visit),
        accountKey: dependencies.digest(`lost password ${usernameKey(username)}`),
        linkHash: random.hashToken(link),
      })
      if (recipient) mailer.send(passwordLinkMail({ ...recipient, publicUrl }, newPasswordAddress(publicUrl, link)))
      await nextStep()
      return messagePage(visit.texts.text('lookAtMail'), visit.texts.text('linkOnItsWay', { username }))
    },
    async answerRefusal(visit, failure) {
      return failure.code === 429 ? { ...form(visit, visit.texts.text('tooManyAttempts')), outcome: 429 } : undefined
    },
  }),
]

/** The page of a server that sends no mail. */
function notSent({ texts }: Visit): ShownPage {
  return { ...messagePage(texts.text('lostHeading'), texts.text('sendsNoMail')), outcome: 404 }
}

function form({ contextPath, input, texts }: Visit<typeof parameters>, message?: string): ShownPage {
  const username = 'value' in input ? input.value.username : undefined
  const action = `${contextPath}/sharing/rest${lostPasswordPath}`
  const heading = texts.text('lostHeading')
  return {
    title: `${heading} – Cartulary`,
    again: { method: 'get', action, fields: [] },
    body: html`<h1>${heading}</h1>
<p>${texts.text('lostNote')}</p>
${formatProblem(message)}
<form method="post" action="${action}">
${formatUsername(texts, username)}
<p class="actions"><button type="submit">${texts.text('sendLink')}</button></p>
</form>`,
    ...(message === undefined ? {} : { outcome: 400 }),
  }
}

/** Leads from a page that asks for a password to this one; nothing where no mail is sent. */
export function lostPasswordLink({
  contextPath,
  dependencies,
  texts,
}: Pick<Visit, 'contextPath' | 'dependencies' | 'texts'>): Html | undefined {
  const address = `${contextPath}/sharing/rest${lostPasswordPath}`
  return dependencies.mailer && html`<p><a href="${address}">${texts.text('lostPassword')}</a></p>`
}

/** Ways to another password, on the page that asks for it. */
export function formatLostPassword(visit: Pick<Visit, 'contextPath' | 'dependencies' | 'texts'>): Html {
  const { texts } = visit
  const otherwise = html`<details><summary>${texts.text('forgotten')}</summary>
<p>${texts.text('askAdministrator')}</p></details>`
  return lostPasswordLink(visit) ?? otherwise
}
