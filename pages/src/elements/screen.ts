import type { PropertyDeclarations } from 'lit'
import type { PathParameters } from '../navigation/paths.ts'
import { PageElement } from './page-element.ts'

/** What is shown at an address. It renders one `<cartulary-heading>`. */
export class Screen extends PageElement {
  static override properties: PropertyDeclarations = { parameters: { attribute: false }, query: { attribute: false } }

  /** Values of the path, such as the id of a group. */
  declare parameters: PathParameters
  /** The state of the screen: filters, what is open. Change it by `replaceQuery` or a link. */
  declare query: URLSearchParams

  constructor() {
    super()
    this.parameters = {}
    this.query = new URLSearchParams()
  }
}
