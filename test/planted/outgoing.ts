import type { Fault } from './fault.ts'

/** Requests to addresses that people have chosen: which are allowed, to where they go, and what is kept of the answer. */
export const outgoing: readonly Fault[] = [
  {
    name: 'An address is judged by its text alone when a request is sent',
    file: 'src/outgoing/post.ts',
    find: "    if (problem !== undefined) throw new Failed('address not allowed')\n",
    replace: '',
    tests: ['test/outgoing/inner-addresses.test.ts'],
  },
  {
    name: 'One public address of a name is enough',
    file: 'src/outgoing/gate.ts',
    find: "return tiers.includes('never')",
    replace: "return tiers.includes('public') ? undefined : tiers.includes('never')",
    tests: ['test/outgoing/inner-addresses.test.ts'],
  },
  {
    name: 'The name is looked up again for the connection',
    file: 'src/outgoing/post.ts',
    find: 'connectToOne(addresses, port)',
    replace: 'lookUp(host).then((found) => connectToOne(found, port))',
    tests: ['test/outgoing/inner-addresses.test.ts'],
  },
  {
    name: 'An allowed host stands for every host that ends with it',
    file: 'src/outgoing/gate.ts',
    find: 'const isAt = (place: Place) => place.host === host',
    replace: 'const isAt = (place: Place) => host.endsWith(place.host)',
    tests: ['test/outgoing/gate.test.ts'],
  },
  {
    name: 'An IPv4 address inside an IPv6 address is not seen',
    file: 'src/outgoing/addresses.ts',
    find: 'return at === undefined ? all',
    replace: 'return at !== 0 ? all',
    tests: ['test/outgoing/gate.test.ts'],
  },
  {
    name: 'A variable of the environment turns off the check of certificates',
    file: 'src/outgoing/post.ts',
    find: ', rejectUnauthorized: true',
    replace: '',
    tests: ['test/outgoing/certificates.test.ts'],
  },
  {
    name: 'A receiver asks to be waited for as long as it likes',
    file: 'src/outgoing/answer.ts',
    find: 'Math.min(Math.max(wait, 0), maxRetryAfter)',
    replace: 'Math.max(wait, 0)',
    tests: ['test/outgoing/receivers.test.ts'],
  },
  {
    name: 'The whole body of an answer is read',
    file: 'src/outgoing/answer.ts',
    find: '      if (size >= maxBodyBytes) break\n',
    replace: '',
    tests: ['test/outgoing/receivers.test.ts'],
  },
  {
    name: 'The text of an answer of an inner host is kept',
    file: 'src/outgoing/post.ts',
    find: 'text: isNamed ? undefined : text',
    replace: 'text',
    tests: ['test/outgoing/certificates.test.ts'],
  },
  {
    name: 'A secret of a webhook signs by its text instead of its bytes',
    file: 'src/secrets/webhook-signature.ts',
    find: "Buffer.from(secret.slice(prefix.length), 'base64')",
    replace: 'Buffer.from(secret.slice(prefix.length))',
    tests: ['test/secrets/webhook-signature.test.ts'],
  },
]
