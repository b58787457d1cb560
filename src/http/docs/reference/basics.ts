/** Section about rules of every operation, printed before the operations in docs/api.md and at `/api`. Code is in backticks. */
export interface Section {
  readonly title: string
  readonly paragraphs?: readonly string[]
  readonly points?: readonly string[]
}

export const basics: readonly Section[] = [
  {
    title: 'Requests and answers',
    paragraphs: [
      'Paths are those of the public Sharing REST API, below `<root>/sharing/rest`; `<root>` is the setting `PUBLIC_URL`.',
    ],
    points: [
      'Methods: a resource is read by GET or POST. An operation accepts POST only; invalidating an invitation accepts GET as well. HEAD is answered as GET, without the body, and never changes anything: where a GET would, it is error 405. Anything else is error 405.',
      'Parameters are sent in the query, in an `application/x-www-form-urlencoded` body, or in a `multipart/form-data` body. The body overrides the query. Names are case-insensitive. Lists are comma-separated, and nested values are JSON text in one parameter. A file is a part of a multipart body, or its text is an ordinary parameter.',
      'Paths: repeated slashes and a trailing slash are ignored. `self` in place of the id of a portal is the portal of the caller.',
      'Format: `f` is `json`, `pjson` (the same, indented) or `html`. Without `f`, the answer is HTML if the Accept header prefers it, else JSON.',
      'Ids of groups, users, collaborations, workspaces and invitations have 32 lower-case hex characters; those of portals and roles 16 letters and digits. Ids are never reused.',
      'Times are milliseconds since 1970, UTC.',
      'Size: a body or a URL that is too large is refused, with its limit; `docs/limits.md` lists all limits.',
      'Success of a change is `{"success": true}`, sometimes with further members.',
      'Warnings: a success that is an object may have `warnings`, at most ten sentences about what the request carries and that has no effect: `level has no effect here.`, `tagss is unknown; did you mean tags?`. Stored documents, files and texts have none, nor have `generateToken`, the operations of sign-in below `/oauth2/`, and `/info`.',
      'CORS: browsers may call from every origin, or from those of the setting `ALLOWED_ORIGINS`.',
    ],
  },
  {
    title: 'Tokens',
    paragraphs: [
      '`generateToken` returns a token for a username and a password. A request sends it as the parameter `token`, or as `Bearer <token>` in the header `X-Esri-Authorization` or `Authorization`.',
      'A token becomes invalid when it expires (`expires`), by `revokeToken`, and when its user is disabled, deleted or given another password. Cookies are ignored.',
    ],
  },
  {
    title: 'Lists',
    paragraphs: [
      'A list has the parameters `start`, the position of the first entry from 1, and `num`, the number of entries: default 10, maximum 100. It answers `total`, `start`, `num` and `nextStart`, which is the `start` of the next page, or -1 on the last.',
    ],
  },
  {
    title: 'Errors',
    paragraphs: [
      'An error is HTTP 200 too, since clients expect it in the body: an object `error` with `code`, `messageCode`, `message`, `details` and `reasons`. `code` is comparable to an HTTP status. Only some errors have a `messageCode`. `details` is always a list, which may be empty. `reasons`, if present, lists each cause with its place or its cure, beside the sentences that the API fixes. `causes`, in answers to requests with the header `Prefer: causes`, has a `code` and `parameters` for sentences of these; notes of imports and failures of jobs have one `cause`. Codes are part of the API; the words of sentences are not.',
      'With the setting `HTTP_ERROR_STATUS=match` an error has the HTTP status of its code. Regardless of the setting, 413, 429, 500 and 503 are HTTP statuses too, as are malformed HTTP and paths outside the API.',
      'Checks are made in this order: the method, the token, whether the caller can see the resource, whether the caller has the permission, and only then the parameters and the state of the resource. So errors disclose nothing to outsiders. Alone `password`, `newPassword` and `oldPassword` in the query are refused right after the token, by every operation.',
    ],
  },
  {
    title: 'The handshake of host and guest',
    paragraphs: [
      'The servers of host and guest never call each other. Their administrators exchange two files, each signed with the key of the organization that issued it; `docs/protocol.md` describes the files.',
    ],
    points: [
      'The host’s administrator invites: `inviteParticipant` returns the invitation file.',
      'The guest’s administrator checks the file: `validateCollaborationInvitation` says whether it can be accepted, and returns the fingerprint of the key that signed it. The host reads its own by `publicKey`, and both compare the two, for example by telephone: all later trust rests on that.',
      '`acceptCollaborationInvitation` records the participation on the side of the guest, and `exportInvitationResponse` returns the response file.',
      'The host’s administrator does the same with the response: `validateInvitationResponse`, compare the guest’s fingerprint, and `importInvitationResponse`, which makes the guest a participant.',
      'Until then the host may withdraw the invitation by `invalidate`: a response to it can no longer be imported. A file is accepted only byte for byte as the server wrote it, in one line without spaces.',
    ],
  },
  {
    title: 'What was chosen for every operation',
    paragraphs: [
      'The public documentation leaves much open. Where it shows nothing, this was chosen; what was chosen for one operation stands with it.',
    ],
    points: [
      'A single-valued parameter that is repeated in the query or in the body is rejected, but for `token` in the query: the last one counts. A client that retries a GET appends a second query, `?f=json&token=old?f=json&token=new`; of such a query, only the part after the last question mark that follows a token counts.',
      'An unknown `f` is rejected in JSON, without repeating it. There is no JSONP.',
      'GET on an operation with `f=html` shows its form and changes nothing. In the body of such a form an empty field counts as not given, unless `clearEmptyFields` is true.',
      '`If-Match` is compared by the operations that say so; any other operation refuses it, rather than ignoring it.',
      'Two different tokens in different places of one request (query, body, headers) are an invalid token.',
      'Without a token, everything that is not public is error 499, whether it exists or not.',
      'Administrators can see every group of their organization, but not manage every one.',
      'An unknown or invisible resource other than a group or a user is the 404 that the service description gives for a missing category schema.',
      'An unknown path is the same 404; another method is 405.',
      'Any other bad input is 400, with one sentence for each cause.',
      'A rate limit is 429 with `Retry-After`; an internal error is 500 with the id of the request and nothing else.',
      'Text has no control characters except tabs and line ends, and no lone surrogates; names of organizations, people, contacts, roles, collaborations and workspaces, and titles of groups and items, have no control characters at all in parameters. What shows nothing (spaces, invisible characters) is blank. Lengths are in UTF-16 code units, as in browsers.',
      'A password has 8 to 128 characters, a username at least 3; a username of 32 hexadecimal digits, which could be an id, is refused.',
      'After ten failed sign-ins for one account from one address within 15 minutes, further ones are error 429 until that time has passed; successful ones are not counted. Both numbers are settings. Failures for an account from all addresses, those of an address for all accounts, and those by pages of other origins have limits of their own. An IPv6 address counts as its /64.',
      'JSON may come as a file of a multipart body, too (`curl -F categorySchema=@schema.json`), unless a field has the name.',
      'JSON with a repeated member, a trailing comma, a byte order mark or invalid UTF-8 is not a category schema.',
      'A pointer in `details` starts at the document: `/categorySchema/0/categories/3/title`.',
      'Of the states of an invitation, only `host_created` is documented; `host_invalidated` and `host_accepted` follow its pattern.',
      'Invitations and responses are signed with the Ed25519 key of the organization that issues them, and contain the public key. Administrators verify the key by its fingerprint.',
      'A response contains the SHA-256 of its invitation file, so it is valid for no other file. A file has at most 64 KiB.',
      'Servers do not call each other: leaving, removing a participant and changing a workspace are not notified.',
      'A guest can see the host, itself, and the workspaces that the invitation named.',
    ],
  },
]
