import { readConfig } from '../config.ts'
import { openMailTransport } from '../dependencies.ts'
import { isMailAddress } from '../directory/user.ts'
import { reasonOf } from '../errors.ts'
import { trialMail } from '../mail/texts.ts'
import { requireOneArgument } from './args.ts'
import { CommandFailed, type Terminal } from './output/terminal.ts'
import { printableAddress } from './server-address.ts'

/** Sends one mail by the mail server of the settings, so that an operator sees whether it arrives. */
export async function mailCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const to = requireOneArgument(args, 'mail needs the address to which one is sent.')
  if (!isMailAddress(to)) throw new CommandFailed(`${to} is no address of mail; one is like anna@example.com.`)
  const config = readConfig(terminal.environment)
  const transport = await openMailTransport(config)
  if (!transport) throw new CommandFailed('MAIL_SERVER is not set: no mail is sent. docs/mail.md says what to set.')
  try {
    await transport.send(trialMail(to, printableAddress(config, terminal)))
  } catch (error) {
    throw new CommandFailed(`The mail server did not take it: ${reasonOf(error)}`)
  }
  terminal.print(`${config.mail!.host} has taken a mail to ${to}. If it does not arrive, look there.`)
}
