import { describe, expect, test } from 'vitest'
import { addEnvFile } from '../../src/config.ts'
import { refusalsOf } from './refusals.ts'

/** Values that the file sets. */
function valuesOf(text: string | Buffer, environment = {}) {
  return addEnvFile(environment, Buffer.from(text))
}

describe('a file .env is taken', () => {
  test.each([
    ['without a line', '', {}],
    ['with comments and empty lines', '# PROT=1\n\n  \n\t# x', {}],
    ['with settings', 'PORT=81\nHOST=::1', { PORT: '81', HOST: '::1' }],
    ['with lines as Windows ends them', 'PORT=81\r\n\r\nHOST=::1\r\n', { PORT: '81', HOST: '::1' }],
    ['with spaces around what counts', '  PORT = 81  \n', { PORT: '81' }],
    ['with a comment after a value', 'PORT=81 # for tests', { PORT: '81' }],
    ['as shells read it', 'export PORT=81', { PORT: '81' }],
    ['with an empty value', 'PORT=', { PORT: '' }],
    ['with a former setting', 'LIMIT_SCHEMA_BYTES_PER_USER=x', { LIMIT_SCHEMA_BYTES_PER_USER: 'x' }],
    [
      'with a value in quotes',
      `ORGANIZATION_NAME="Maps # 1" # x\nADMIN_PASSWORD=' a b '`,
      {
        ORGANIZATION_NAME: 'Maps # 1',
        ADMIN_PASSWORD: ' a b ',
      },
    ],
    [
      'with an equals sign in a value',
      'DATABASE_URL=postgres://h/d?sslmode=require',
      {
        DATABASE_URL: 'postgres://h/d?sslmode=require',
      },
    ],
  ])('%s', (_what, text, values) => {
    expect(valuesOf(text)).toEqual(values)
  })

  test('and the environment wins over it', () => {
    expect(valuesOf('PORT=81\nHOST=::1', { PORT: '82', HOME: '/root' })).toEqual({
      PORT: '82',
      HOST: '::1',
      HOME: '/root',
    })
  })
})

const noSetting = 'it is no setting, NAME=value, and no comment, which begins with #.'

describe('a line of a file .env is refused in one sentence with its number:', () => {
  test.each([
    ['PROT=8081', 'There is no setting PROT; did you mean PORT?'],
    ['PUBLIC_ULR=https://maps.example.com', 'There is no setting PUBLIC_ULR; did you mean PUBLIC_URL?'],
    ['port=8081', 'There is no setting port; did you mean PORT?'],
    ['NODE_ENV=production', 'There is no setting NODE_ENV.'],
    ['PATH=/bin', 'There is no setting PATH.'],
    ['toString=1', 'There is no setting toString.'],
    ['PORT: 8191', 'PORT is followed by a colon; write PORT=value.'],
    ['ADMIN_PASSWORD: geheim-geheim', 'ADMIN_PASSWORD is followed by a colon; write ADMIN_PASSWORD=value.'],
    ['PROT: 8191', 'There is no setting PROT; did you mean PORT?'],
    ['PORT 8191', noSetting],
    ['PORT', noSetting],
    ['[server]', noSetting],
    ['=8191', noSetting],
    ['// PORT=8191', noSetting],
    [
      'ADMIN_PASSWORD=geheim#geheim',
      'the value of ADMIN_PASSWORD has a #, which begins a comment; put the value in quotes.',
    ],
    ['ADMIN_PASSWORD="geheim-geheim', 'the value of ADMIN_PASSWORD has no closing quote.'],
    ['ADMIN_PASSWORD="geheim"geheim', 'the value of ADMIN_PASSWORD goes on after its closing quote.'],
    ['ADMIN_PASSWORD=“geheim-geheim”', `the value of ADMIN_PASSWORD has typographic quotes; write " or '.`],
    ['HOST=::1', 'HOST is set in line 1 already; keep one of them.'],
  ])('%s', (line, sentence) => {
    expect(refusalsOf(() => valuesOf(`HOST=127.0.0.1\n\n${line}\n# end`))).toEqual([`.env line 3: ${sentence}`])
    expect(refusalsOf(() => valuesOf(`HOST=127.0.0.1\r\n\r\n${line}\r\n# end`))).toEqual([`.env line 3: ${sentence}`])
    expect(sentence).not.toContain('geheim')
  })

  test('a byte order mark, which would hide the first line', () => {
    expect(refusalsOf(() => valuesOf('\ufeffPORT=81\nHOST=::1'))).toEqual([
      '.env line 1 begins with a byte order mark: save the file as UTF-8 without it.',
    ])
  })
})

test.each([
  ['UTF-16', Buffer.from('\ufeffPORT=81', 'utf16le')],
  ['Latin-1', Buffer.from('ORGANIZATION_NAME=Süd', 'latin1')],
])('a file .env in %s is refused', (_what, file) => {
  expect(refusalsOf(() => valuesOf(file))).toEqual(['.env is not text in UTF-8: save it as that.'])
})

test('all that is wrong with the file and the settings is refused together', () => {
  const file = '\ufeffPROT=81\nPORT: 82\nHTTP_ERROR_STATUS=real\nADMIN_USERNAME=ad min'
  expect(refusalsOf(() => valuesOf(file, { LOG_LEVEL: 'loud' }))).toEqual([
    '.env line 1 begins with a byte order mark: save the file as UTF-8 without it.',
    '.env line 1: There is no setting PROT; did you mean PORT?',
    '.env line 2: PORT is followed by a colon; write PORT=value.',
    'ADMIN_USERNAME is ad min; a username has 3 to 128 letters, digits, dots, hyphens, underscores and at signs.',
    'HTTP_ERROR_STATUS is real; it has to be one of envelope, match.',
    'LOG_LEVEL is loud; it has to be one of fatal, error, warn, info, debug, silent.',
  ])
})
