/** Sentences on texts and lists that a caller gives. */
export const texts = {
  hasControl: 'has a control character.',
  tooLong: 'has {length#} characters; at most {max#} are allowed.',
  loneSurrogate: 'has a lone surrogate.',
  tooManyEntries: 'has {count#} entries; at most {max#} are allowed.',
  isBlank: 'is blank.',
  isMissing: 'is missing.',
  entryBlank: 'an entry is blank.',
  entryWrong: 'an entry {problem}',
  changesDirection: 'has a character that changes the direction of text; leave it out.',
  schemeNotAllowed: 'has the scheme {scheme}; an address is relative, or has one of http, https and mailto.',
  noMailAddress: 'is not an e-mail address.',
} as const
