/** Parameters of the API that the preview has controls for. */
const parameters = 'below|titles|depth|root|markers|layout|language|columns|cycles|polyhierarchy|header|moves'

/** Sentences at the end that only say which parameter of the API helps. */
const help = new RegExp(`(?<=[.”]) (?:(?:${parameters})=|If that is wrong, name the columns)[^“”]*$`, 's')

/** A sentence of the server without the parameters of the API, which are controls on the page. */
export function withoutParameters(sentence: string): string {
  return sentence.replace(help, '')
}
