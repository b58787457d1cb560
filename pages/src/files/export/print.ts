import { css } from 'lit'
import type { SchemaOwner } from '../../owners/owners.ts'
import { readOwnerTitle, readPresent, readVersion } from '../../schemas/requests.ts'
import { PrintedSchema } from './printed-schema.ts'

/** Style of the document while a tree is printed: that tree alone, in black on white in any theme. */
const documentStyle = css`
  @media screen {
    cartulary-printed-schema {
      display: none;
    }
  }
  @media print {
    html {
      background: #fff !important;
      color-scheme: light;
    }
    body > :not(cartulary-printed-schema) {
      display: none !important;
    }
  }
  @page {
    margin: 15mm;
    @bottom-right {
      content: counter(page) ' / ' counter(pages);
      font: 8pt sans-serif;
    }
  }
`

interface PrintOptions {
  readonly hasDescriptions: boolean
}

/** Prints the tree of a version, by default of the present one. The page shows the dialog of the browser meanwhile. */
export async function printSchema(
  owner: SchemaOwner,
  version: number | undefined,
  { hasDescriptions }: PrintOptions,
): Promise<void> {
  const [schema, title] = await Promise.all([
    version === undefined ? readPresent(owner) : readVersion(owner, version),
    readOwnerTitle(owner),
  ])
  const printed = new PrintedSchema()
  Object.assign(printed, { schema, ownerTitle: title, hasDescriptions })
  for (const earlier of document.querySelectorAll('cartulary-printed-schema')) earlier.remove()
  document.body.append(printed)
  await printed.updateComplete
  const sheet = documentStyle.styleSheet!
  const { adoptedStyleSheets } = document
  document.adoptedStyleSheets = [...adoptedStyleSheets, sheet]
  window.addEventListener(
    'afterprint',
    () => {
      printed.remove()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    },
    { once: true },
  )
  window.print()
}
