import { readConfig } from '../../config.ts'
import type { Page, Slice } from '../../paging.ts'
import { openInspection } from '../../storage/maintenance/inspection.ts'
import type { Readers } from '../../storage/storage.ts'
import { parseArguments, requireNoArguments } from '../args.ts'
import { CommandFailed, type Terminal } from '../output/terminal.ts'
import { requireDatabaseFile } from '../sqlite-setting.ts'

const entriesOfPage = 1_000

/** Prints a line for each entry of every organization, or of the one that `--organization` names; beside a server, too. */
export async function listByOrganization<Entry>(
  args: readonly string[],
  { environment, print }: Terminal,
  readPage: (readers: Readers, portalId: string, page: Page) => Promise<Slice<Entry>>,
  format: (entry: Entry) => string,
): Promise<void> {
  const { values, positionals } = parseArguments(args, { organization: { type: 'string' } })
  requireNoArguments(positionals)
  const config = readConfig(environment)
  requireDatabaseFile(config)
  const inspection = await openInspection(config.database)
  try {
    await inspection.requireTables()
    const { readers } = inspection
    const portals = await readers.directory.listPortals()
    const { organization } = values
    const wanted = portals.filter(({ portalId }) => organization === undefined || organization === portalId)
    if (organization !== undefined && wanted.length === 0) {
      throw new CommandFailed(
        `There is no organization ${organization}; "cartulary organization list" lists all of them.`,
      )
    }
    for (const { portalId } of wanted) {
      for (let start = 1, total = 1; start <= total; start += entriesOfPage) {
        const page = await readPage(readers, portalId, { start, num: entriesOfPage })
        for (const entry of page.entries) print(format(entry))
        total = page.total
      }
    }
  } finally {
    await inspection.close()
  }
}
