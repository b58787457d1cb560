import chromium from '@sparticuz/chromium'

// Run as a program of its own: the package unpacks into the TMPDIR of its process.
await chromium.executablePath()
