import { usernameKey, usernameLength } from '../../directory/user.ts'
import { passwordLinkMail } from '../../mail/texts.ts'
import { lostPasswordPath, newPasswordAddress } from '../endpoints/new-password-address.ts'
import { optionalText } from '../endpoints/parameter-types.ts'
import { signInTo } from '../endpoints/sign-in.ts'
import { type Html, html } from '../pages/html.ts'
import { beginSteps } from '../requests/steps.ts'
import { messagePage, passwordSentences } from './page.ts'
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
      if (!mailer) return notSent()
      if ('problems' in input) return form(visit, input.problems.join(' '))
      if (method === 'GET') return form(visit)
      if (visit.findCrossSiteOrigin() !== undefined) return form(visit, 'This form was sent by a page of another site.')
      const username = input.value.username?.trim()
      if (!username) return form(visit, 'Give your username.')
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
      return messagePage('Look at your mail', sentences(username))
    },
    async answerRefusal(visit, failure) {
      return failure.code === 429 ? { ...form(visit, passwordSentences.tooMany), outcome: 429 } : undefined
    },
  }),
]

function sentences(username: string): string {
  return (
    `If ${username} is a user with an e-mail address here, a link to a new password is on its way there; it is valid for an hour. ` +
    'If nothing comes within ten minutes, ask again, or ask an administrator of your organization.'
  )
}

/** Where the server sends no mail. */
function notSent(): ShownPage {
  return {
    ...messagePage('Lost password', 'This server sends no mail. Ask an administrator of your organization.'),
    outcome: 404,
  }
}

function form({ contextPath, input }: Visit<typeof parameters>, message?: string): ShownPage {
  const username = 'value' in input ? input.value.username : undefined
  return {
    title: 'Lost password – Cartulary',
    body: html`<h1>Lost password</h1>
<p>A link by which you choose a new password is sent to your e-mail address.</p>
${message !== undefined && html`<p role="alert" class="problem">${message}</p>`}
<form method="post" action="${contextPath}/sharing/rest${lostPasswordPath}">
<p><label for="username">Username</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${username ?? ''}"></p>
<p class="actions"><button type="submit">Send a link</button></p>
</form>`,
    ...(message === undefined ? {} : { outcome: 400 }),
  }
}

/** Leads from a page that asks for a password to this one; nothing where no mail is sent. */
export function lostPasswordLink({
  contextPath,
  dependencies,
}: Pick<Visit, 'contextPath' | 'dependencies'>): Html | undefined {
  return dependencies.mailer && html`<p><a href="${contextPath}/sharing/rest${lostPasswordPath}">Lost password?</a></p>`
}
