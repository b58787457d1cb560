/** Has the browser save a file, byte for byte. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by the next turn, but needs the address until then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
