// Characters without the letters and digits that look alike.
const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Password to be typed once: four groups of five letters and digits, over 110 random bits. */
export function makeTemporaryPassword(): string {
  for (;;) {
    const groups = Array.from({ length: 4 }, () => Array.from({ length: 5 }, pickLetter).join(''))
    const password = groups.join('-')
    // Contains all kinds of characters that an organization may require.
    if (/[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)) return password
  }
}

/** Picks a letter uniformly: numbers above the last whole multiple are drawn again. */
function pickLetter(): string {
  const max = 256 - (256 % letters.length)
  for (;;) {
    const [drawn = max] = crypto.getRandomValues(new Uint8Array(1))
    if (drawn < max) return letters[drawn % letters.length]!
  }
}
