import type { Fault } from './fault.ts'

/** What is read from requests and files, and written to answers: characters, cookies, other sites. */
export const wire: readonly Fault[] = [
  {
    name: 'A page is broken by a text whose only sign is a quotation mark',
    file: 'src/http/pages/html.ts',
    find: `if (!/[&<>"']/.test(text)) return text`,
    replace: `if (!/[&<>]/.test(text)) return text`,
    tests: ['test/http/pages/value.test.ts', 'test/http/pages/filled-forms.test.ts', 'test/http/pages/forms.test.ts'],
  },
  {
    name: 'A spreadsheet runs a formula in a description',
    file: 'src/schema-files/csv/write.ts',
    find: '    guardFormula(description),\n',
    replace: '    description,\n',
    tests: ['test/rooms/schema-files/csv-round-trip.test.ts'],
  },
  {
    name: 'A cell with a semicolon becomes two in a spreadsheet of another country',
    file: 'src/csv-text.ts',
    find: '/["\\r\\n,;\\t|]/.test(cell)',
    replace: '/["\\r\\n,\\t|]/.test(cell)',
    tests: ['test/rooms/csv-text.test.ts'],
  },
  {
    name: 'A backslash in a title is not escaped in a file of Turtle',
    file: 'src/schema-files/skos/turtle.ts',
    find: '/["\\\\\\p{Cc}\\u2028',
    replace: '/["\\p{Cc}\\u2028',
    tests: ['test/rooms/schema-files/skos/written-graph.test.ts'],
  },
  {
    name: 'Text in another encoding is stored with replacement characters',
    file: 'src/http/request/form.ts',
    find: `return isUtf8(bytes.subarray(0, length)) ? bytes.toString('utf8', 0, length) : undefined`,
    replace: `return bytes.toString('utf8', 0, length)`,
    tests: ['test/http/request/form.test.ts'],
  },
  {
    name: 'A body in another charset is read as UTF-8 where it names both',
    file: 'src/http/transport/guards.ts',
    find: 'return !values.every((value) => charsets.includes(value))',
    replace: 'return !values.some((value) => charsets.includes(value))',
    tests: ['test/http/wire/guards.test.ts'],
  },
  {
    name: 'A member that is written twice in two spellings is stored by its second value',
    file: 'src/json-text.ts',
    find: `return raw.includes('\\\\') ? JSON.parse(text.slice(start, end)) : raw`,
    replace: 'return raw',
    tests: ['test/rooms/json-text.test.ts'],
  },
  {
    name: 'A page of a neighbouring site counts as one of this server',
    file: 'src/http/request/cross-site.ts',
    find: `site !== 'cross-site' && site !== 'same-site'`,
    replace: `site !== 'cross-site'`,
    tests: ['test/http/request/cross-site.test.ts'],
  },
  {
    name: 'A form of another site signs a user out',
    file: 'src/http/sign-in/sign-out.ts',
    find: 'if (!isPosted || isCrossSite || visit.sessionHash',
    replace: 'if (!isPosted || visit.sessionHash',
    tests: ['test/http/sign-in/sign-in.test.ts'],
  },
  {
    name: 'Scripts of a page read the cookie of the session',
    file: 'src/http/sign-in/session-cookie.ts',
    find: `'Path=/; Secure; HttpOnly; SameSite=Lax'`,
    replace: `'Path=/; Secure; SameSite=Lax'`,
    tests: ['test/http/sign-in/sign-in.test.ts'],
  },
  {
    name: 'A cookie of another server of this host is taken for the session',
    file: 'src/http/sign-in/session-cookie.ts',
    find: `pair.startsWith(\`\${name}=\`)`,
    replace: 'pair.startsWith(name)',
    tests: ['test/http/sign-in/session-cookie.test.ts'],
  },
  {
    name: 'A client is told that nothing changed although it asks for another format',
    file: 'src/http/answer.ts',
    find: `answer.revision}-\${format}"\``,
    replace: `answer.revision}"\``,
    tests: ['test/http/wire/entity-tags.test.ts'],
  },
]
