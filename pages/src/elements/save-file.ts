/** Has the browser save a file, byte for byte. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has started reading by the next turn of the event loop, but needs the URL until it is done.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
