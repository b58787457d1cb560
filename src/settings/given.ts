/** Reading one setting: what is given, and the refusal of what is wrong. */

/** Given settings, and their refusals. */
export interface GivenSettings {
  /** Text of a setting, without the spaces around it; undefined for one that is absent or empty. */
  text(name: string): string | undefined
  /** Text of a setting, or else the default. */
  value(name: string): string
  defaultOf(name: string): string
  /** Takes one sentence, which names the setting and says what is allowed. */
  refuse(sentence: string): undefined
}

/** Maximum length of a value that is repeated in a refusal, in characters. */
const maxShownLength = 100

/** A value as a refusal repeats it: without line breaks and the like, and not too long. */
export function shown(value: string): string {
  const text = value.replace(/\p{Cc}/gu, '\u{fffd}')
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}

export function readInteger(given: GivenSettings, name: string, min: number, max: number): number {
  const text = given.value(name)
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  given.refuse(`${name} is ${shown(text)}; it has to be a whole number from ${min} to ${max}.`)
  return Number(given.defaultOf(name) || min)
}

export function readChoice<Choice extends string>(
  { value, defaultOf, refuse }: GivenSettings,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const given = value(name)
  const choice = choices.find((known) => known === given)
  if (choice) return choice
  refuse(`${name} is ${shown(given)}; it has to be one of ${choices.join(', ')}.`)
  return choices.find((known) => known === defaultOf(name)) ?? choices[0]
}
