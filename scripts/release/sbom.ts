/** The bill of materials in CycloneDX: every package of the artefact, with its version, licence and digest. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReleasedPackage } from './packages.ts'

/** Program that the bill of materials describes. */
export interface Program {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
}

/** Formats the bill without time and random serial number, which the format allows: two builds are equal. */
export function formatBill(
  program: Program,
  direct: readonly string[],
  packages: readonly ReleasedPackage[],
  root: string,
): string {
  const references = new Map(packages.map((released) => [released.path, referenceOf(released)]))
  const sqlite = sqliteOf(root)
  const dependenciesOf = ({ name, path, imports }: ReleasedPackage) => ({
    ref: references.get(path)!,
    dependsOn: [
      ...imports.map((there) => references.get(there)!),
      ...(name === 'better-sqlite3' ? [sqlite['bom-ref']] : []),
    ],
  })
  const own = `pkg:npm/${program.name}@${program.version}`
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        'bom-ref': own,
        type: 'application',
        name: program.name,
        version: program.version,
        description: program.description,
        licenses: [{ license: { id: program.license } }],
        purl: own,
      },
    },
    components: [...packages.map(componentOf), sqlite],
    dependencies: [
      { ref: own, dependsOn: direct.map((path) => references.get(path)!) },
      ...packages.map(dependenciesOf),
      { ref: sqlite['bom-ref'], dependsOn: [] },
    ],
  }
  return `${JSON.stringify(bill, undefined, 2)}\n`
}

function referenceOf({ name, version }: ReleasedPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function componentOf(released: ReleasedPackage) {
  const { name, version, license, integrity } = released
  const isExpression = /\s/.test(license)
  return {
    'bom-ref': referenceOf(released),
    type: 'library',
    name,
    version,
    scope: 'required',
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }],
    licenses: [isExpression ? { expression: license } : { license: { id: license } }],
    purl: referenceOf(released),
  }
}

/** SQLite, which better-sqlite3 is compiled from: vulnerability notices name it, and not the package. */
function sqliteOf(root: string) {
  const header = readFileSync(join(root, 'node_modules/better-sqlite3/deps/sqlite3/sqlite3.h'), 'utf8')
  const version = /#define SQLITE_VERSION\s+"([\d.]+)"/.exec(header)![1]!
  const purl = `pkg:generic/sqlite@${version}`
  const licenses = [{ license: { id: 'blessing' } }]
  return { 'bom-ref': purl, type: 'library', name: 'sqlite', version, scope: 'required', licenses, purl }
}
