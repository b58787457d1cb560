import { type Config, ConfigError } from '../../config.ts'
import { openMailTransport } from '../../dependencies.ts'
import { reasonOf } from '../../errors.ts'
import { type CheckResult, ok, problem, warning } from '../../storage/maintenance/check-result.ts'

/** Whether the mail server can be signed in to. Nothing where none is set. */
export async function* inspectMail(config: Config): AsyncGenerator<CheckResult> {
  if (!config.mail) return
  const { host, port } = config.mail
  if (config.publicUrl === undefined) {
    yield warning(
      'MAIL_SERVER is set without PUBLIC_URL: links in mails lead to localhost, where only this machine finds them.',
    )
  }
  try {
    await (await openMailTransport(config))?.verify()
    yield ok(`The mail server ${host}:${port} answers, and takes the settings.`)
  } catch (error) {
    const sentence = `The mail server ${host}:${port} cannot be used: ${reasonOf(error)}. See the settings MAIL_….`
    yield problem(error instanceof ConfigError ? error.message : sentence)
  }
}
