import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseYaml } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { parseConfig, settings } from '../../src/config.ts'
import { Folder } from '../support/portal/process.ts'
import { theRelease, unpack } from '../support/release/artefact.ts'

/** No container engine and no systemd run here: the files are held to the program that they start. */

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const known: ReadonlySet<string> = new Set(settings.map(({ name }) => name))

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly read_only?: boolean
}

interface Composition {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const dockerfile = read('Dockerfile')
const unit = read('cartulary.service')

/** Settings of the image, which a container has unless it is given others. */
function settingsOfImage(): Readonly<Record<string, string>> {
  const [, lines] = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)!
  const pairs = lines!.split(/\s*\\\n\s*/).map((pair) => pair.split('=') as [string, string])
  return Object.fromEntries(pairs)
}

/** Values that operators put in place of variables. */
const given: Readonly<Record<string, string>> = {
  PUBLIC_URL: 'https://maps.example.com',
  TRUST_PROXY: 'true',
  POSTGRES_PASSWORD: 'a1b2c3d4',
  SECRET_KEY: '0123456789abcdefghijklmnopqrstuvwxyz',
}

function substitute(text: string): string {
  return text.replaceAll(/\$\{(\w+)(?:(:[?-])([^}]*))?\}/g, (_, name: string, mark: string, word: string) => {
    if (name in given) return given[name]!
    expect(mark, `${name} has no default`).toBe(':-')
    return word
  })
}

describe.for(['compose.sqlite.yaml', 'compose.postgres.yaml'])('%s', (name) => {
  const { services, volumes } = parseYaml(substitute(read(name))) as Composition
  const servers = Object.values(services).filter(({ image }) => image.startsWith('cartulary'))

  test('starts servers of this version, with settings that they take', () => {
    expect(servers.length).toBeGreaterThan(0)
    for (const { image, environment = {}, read_only } of servers) {
      expect(image).toBe(`cartulary:${version}`)
      expect(read_only).toBe(true)
      expect(Object.keys(environment).filter((setting) => !known.has(setting))).toEqual([])
      expect(parseConfig({ ...settingsOfImage(), ...environment }).refusals).toEqual([])
    }
  })

  test('names volumes, files and services that are there', () => {
    for (const { volumes: mounts = [], depends_on = {} } of Object.values(services)) {
      for (const mount of mounts) {
        const [source] = mount.split(':')
        expect(source!.startsWith('.') ? existsSync(join(deploy, source!)) : source! in volumes, mount).toBe(true)
      }
      for (const other of Object.keys(depends_on)) expect(services).toHaveProperty(other)
    }
  })
})

test('nginx passes on to the servers of the composition, on their port', () => {
  const { services } = parseYaml(substitute(read('compose.postgres.yaml'))) as Composition
  const upstreams = [...read('nginx.conf').matchAll(/^\s+server (\w+):(\d+)/gm)].map(([, name, port]) => ({
    name,
    port,
  }))
  const servers = Object.keys(services).filter((name) => services[name]!.image.startsWith('cartulary'))
  expect(upstreams).toEqual(servers.map((name) => ({ name, port: settingsOfImage()['PORT'] })))
  expect(services['proxy']!.volumes).toEqual(['./nginx.conf:/etc/nginx/conf.d/default.conf:ro'])
})

describe('the image', () => {
  test('is made of a release of this version, and nothing else', () => {
    using folder = new Folder()
    const { name, folder: dist } = theRelease()
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \.\/$/gm)].flatMap(([, files]) => files!.split(' '))
    const files = copied.map((file) => file.replaceAll(/\$\{VERSION\}/g, version))
    expect(files).toEqual([`dist/${name}.tgz`, `dist/${name}.sha256`])
    expect(files.filter((file) => !existsSync(join(dist, file.slice('dist/'.length))))).toEqual([])
    expect([...dockerfile.matchAll(/^ARG VERSION(.*)$/gm)].map(([, value]) => value)).toEqual([
      `=${version}`,
      `=${version}`,
    ])
    expect(readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8')).toMatch(/^\*\n!dist$/m)
    const program = unpack(theRelease(), folder.path)
    const named = [...`${dockerfile}${unit}`.matchAll(/\/opt\/cartulary\/([\w./-]+)/g)].map(([, path]) => path!)
    expect(new Set(named)).toEqual(new Set(['bin/cartulary.mjs', 'docs/install.md']))
    expect(named.filter((path) => !existsSync(join(program, path)))).toEqual([])
  })

  test('runs as a user without rights, with settings that a server takes once PUBLIC_URL is there', () => {
    expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(parseConfig({ ...settingsOfImage(), PUBLIC_URL: 'http://maps.example.com' }).refusals).toEqual([])
    expect(parseConfig(settingsOfImage()).refusals).toEqual([expect.stringContaining('PUBLIC_URL')])
    expect(Object.keys(settingsOfImage()).filter((name) => !known.has(name))).toEqual([])
  })
})

describe('the unit', () => {
  test('has settings that a server takes', () => {
    const lines = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const)
    expect(lines.map(([name]) => name)).toEqual(['DATABASE_URL', 'NODE_COMPILE_CACHE'])
    expect(parseConfig({ DATABASE_URL: lines[0]![1] }).refusals).toEqual([])
  })

  test('is one that systemd takes, and exposes little of the system', ({ skip }) => {
    try {
      execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' })
    } catch {
      skip('systemd-analyze is not installed')
    }
    const path = join(deploy, 'cartulary.service')
    execFileSync('systemd-analyze', ['verify', '--man=no', path], { stdio: 'pipe' })
    // In tenths: 1.6 of 10, where 10 is a service without any limits.
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=16', path], { stdio: 'pipe' })
  })
})
