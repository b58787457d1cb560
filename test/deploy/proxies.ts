import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../support/installed.ts'

/** A proxy as an operator sets it up, from an example in deploy/proxies, and how a test starts it. */
export interface FrontProxy {
  readonly name: string
  /** Undefined where it is not installed. */
  readonly program: string | undefined
  /** Examples: for a server at the root, and under a path. */
  readonly files: readonly [string, string]
  /** Replacements in the example for a proxy that removes the path. */
  readonly removesPath: readonly (readonly [string, string])[]
  /** Whether it decodes an id that has an encoded slash, where it removes the path. */
  readonly decodesThen: boolean
  /** Changes an example for this machine: it listens at this port without TLS. */
  adapt(text: string, port: number): string
  /** Writes further files of the proxy into the folder; returns its arguments. */
  prepare(folder: string, text: string): readonly string[]
}

export function readExample(file: string): string {
  return readFileSync(fileURLToPath(new URL(`../../deploy/proxies/${file}`, import.meta.url)), 'utf8')
}

/** Replaces a part of the text; throws where it is missing. */
export function replace(
  text: string,
  found: string | RegExp,
  other: string | ((...parts: string[]) => string),
): string {
  const replaced = text.replace(found, other as string)
  if (replaced === text) throw new Error(`There is no ${found} in:\n${text}`)
  return replaced
}

const isRoot = process.getuid?.() === 0

export const nginx: FrontProxy = {
  name: 'nginx',
  program: findProgram('nginx'),
  files: ['nginx.conf', 'nginx-path.conf'],
  decodesThen: true,
  removesPath: [['proxy_pass http://cartulary;', 'proxy_pass http://cartulary/;']],
  adapt: (text, port) =>
    replace(text, /listen (443 ssl|8080);/, `listen 127.0.0.1:${port};`).replace(/\n +ssl_\w+ .*;\n +ssl_\w+ .*;/, ''),
  prepare(folder, text) {
    for (const name of ['body', 'proxy', 'other']) mkdirSync(join(folder, name))
    const temporary = ['fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/other;`)
    const http = [`client_body_temp_path ${folder}/body;`, `proxy_temp_path ${folder}/proxy;`, ...temporary]
    const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; ${isRoot ? 'user root;' : ''}`
    writeFileSync(
      join(folder, 'main.conf'),
      `${main}\nevents {}\nhttp {\naccess_log off;\n${http.join('\n')}\n${text}}\n`,
    )
    return ['-c', join(folder, 'main.conf'), '-e', 'stderr']
  },
}

export const haproxy: FrontProxy = {
  name: 'HAProxy',
  program: findProgram('haproxy'),
  files: ['haproxy.cfg', 'haproxy-path.cfg'],
  decodesThen: false,
  removesPath: [
    [
      'use_backend cartulary if { path_beg /portal/ }',
      'http-request replace-path /portal/(.*) /\\1 if { path_beg /portal/ }\n    default_backend cartulary',
    ],
  ],
  adapt: (text, port) => replace(text, /bind :(443 ssl crt \S+|8080)/, `bind 127.0.0.1:${port}`),
  prepare(folder, text) {
    writeFileSync(join(folder, 'haproxy.cfg'), text)
    return ['-db', '-f', join(folder, 'haproxy.cfg')]
  },
}

const caddy: FrontProxy = {
  name: 'Caddy',
  program: findProgram('caddy'),
  files: ['Caddyfile', 'Caddyfile-path'],
  decodesThen: false,
  removesPath: [['handle /portal/*', 'handle_path /portal/*']],
  adapt: (text, port) => replace(text, '\nmaps.example.com {', `\nhttp://127.0.0.1:${port} {`),
  prepare(folder, text) {
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${text}`)
    return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  },
}

const modules = ['mpm_event', 'authz_core', 'alias', 'headers', 'proxy', 'proxy_http', 'unique_id']

const apache: FrontProxy = {
  name: 'Apache',
  program: findProgram('apache2'),
  files: ['apache.conf', 'apache-path.conf'],
  decodesThen: false,
  removesPath: [
    ['ProxyPass        /portal/ http://127.0.0.1:8080/portal/', 'ProxyPass /portal/ http://127.0.0.1:8080/'],
    [' ProxyPassReverse /portal/ http://127.0.0.1:8080/portal/', ' # No ProxyPassReverse'],
  ],
  adapt: (text, port) =>
    replace(replace(text, '<VirtualHost *:443>', `<VirtualHost 127.0.0.1:${port}>`), /\n +SSL.*\n +SSL.*\n +SSL.*/, ''),
  prepare(folder, text) {
    const loaded = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
    const address = /<VirtualHost (\S+)>/.exec(text)![1]
    const main = [
      ...['ServerName localhost', `Listen ${address}`, `PidFile ${folder}/pid`, `ErrorLog ${folder}/error.log`],
      ...(isRoot ? ['User www-data', 'Group www-data'] : []),
    ]
    writeFileSync(join(folder, 'main.conf'), [...loaded, ...main, text].join('\n'))
    return ['-DFOREGROUND', '-d', folder, '-f', join(folder, 'main.conf')]
  },
}

export const proxies: readonly FrontProxy[] = [nginx, haproxy, caddy, apache]
