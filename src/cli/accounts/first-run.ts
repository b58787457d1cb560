import { firstRunAddress } from '../../first-organization.ts'
import { hashOfFirstRun } from '../../first-run/operations.ts'
import { requireNoArguments } from '../args.ts'
import type { Terminal } from '../output/terminal.ts'
import { printableAddress } from '../server-address.ts'
import { withDatabase, writeAsOperator } from './operator.ts'

/** Prints another link to the first run, beside a running server too. */
export async function firstRunCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  requireNoArguments(args)
  await withDatabase(terminal, 'beside', async (dependencies, config) => {
    const { random } = dependencies
    const secret = random.token()
    const input = { linkHash: hashOfFirstRun(random, secret) }
    const { portal } = await writeAsOperator(dependencies, 'renewFirstRun', input, '/portals')
    terminal.print(
      `By this link ${portal.name} gets its name, its administrator and a password in a browser, once, within 24 hours and before the first sign-in:`,
    )
    terminal.print(firstRunAddress(printableAddress(config, terminal), secret))
    terminal.print('Links that were made before have ended. This one is shown only now.')
  })
}
