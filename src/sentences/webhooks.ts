/** Sentences on webhooks. */
export const webhooks = {
  webhookTaken: 'A webhook named "{name}" exists.',
  webhooksFull: 'An organization has at most {max#} webhooks.',
  webhookOff: 'The webhook is off; activate it first.',
  webhookSecretLost: 'Its secret was lost; make a new one.',
  webhookSent: 'The server sends to this webhook; only those with url=pull: are fetched from.',
} as const
