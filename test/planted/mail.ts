import type { Fault } from './fault.ts'

/** Mail: who is sent a link, who chooses where it is sent, and what a mail server may do. */
export const mail: readonly Fault[] = [
  {
    name: 'A user who is disabled is sent a link to a new password',
    file: 'src/oauth/passwords/new-password-operations.ts',
    find: '!user || user.disabled || !isMailAddress(user.email)',
    replace: '!user || !isMailAddress(user.email)',
    tests: ['test/http/sign-in/lost-password.test.ts'],
  },
  {
    name: 'Who asks for a link of another user ends the one that an administrator has made',
    file: 'src/oauth/passwords/new-password-operations.ts',
    find: 'await oauth.addLink({ linkHash: input.linkHash, userId: user.userId, expiresAt })',
    replace: 'await oauth.putLink({ linkHash: input.linkHash, userId: user.userId, expiresAt })',
    tests: ['test/http/sign-in/lost-password.test.ts'],
  },
  {
    name: 'A custom role chooses to which address the link of another user is sent',
    file: 'src/directory/users/user-operations.ts',
    find: 'if (input.sendsMail && !isDefaultAdministrator(caller, user.portalId))',
    replace: 'if (input.sendsMail && !isDefaultAdministrator(caller, user.portalId) && caller.userId === user.userId)',
    tests: ['test/http/endpoints/directory/mailed-users.test.ts'],
  },
  {
    name: 'The password of the mail server goes out without TLS',
    file: 'src/mail/smtp.ts',
    find: 'requireTLS: !isTls && !isLocal,',
    replace: 'requireTLS: false,',
    tests: ['test/mail/smtp.test.ts'],
  },
  {
    name: 'A mail that the mail server refuses for now is lost',
    file: 'src/mail/outbox.ts',
    find: 'else if (interval === undefined || isEnding)',
    replace: 'else if (interval !== undefined || isEnding)',
    tests: ['test/mail/outbox.test.ts'],
  },
]
