import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin } from 'vite'
import { type DocumentPage, renderDocuments } from './documents.ts'

interface Files {
  readonly style: string
  readonly script: string
  readonly icon: string
}

/** Writes the pages of the documentation beside the style and the script that are built for them. */
export function documentFiles(root: string): Plugin {
  return {
    name: 'document-files',
    generateBundle(_options, bundle) {
      const names = Object.keys(bundle)
      const find = (ending: string) => names.find((name) => name.endsWith(ending))!
      const emitted = new Map<string, string>()
      const addressOf = (path: string): string => {
        const source = readFileSync(`${root}${path}`)
        const emit = () => this.getFileName(this.emitFile({ type: 'asset', name: basename(path), source }))
        if (!emitted.has(path)) emitted.set(path, emit())
        return emitted.get(path)!
      }
      const files = { style: find('.css'), script: find('.js'), icon: find('.svg') }
      for (const page of renderDocuments({ root, addressOf })) {
        this.emitFile({ type: 'asset', fileName: `documents/${page.address}.html`, source: formatPage(page, files) })
      }
    },
  }
}

function formatPage({ address, title, content, sections }: DocumentPage, { style, script, icon }: Files): string {
  const contents = sections.map((section) => `<li><a href="${address}#${section.anchor}">${section.title}</a></li>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="/">
<title>${title} – Cartulary</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="${style}">
<script src="${script}"></script>
</head>
<body class="document">
<a class="skip" href="${address}#main">Skip to the text</a>
<header class="banner">
<a class="home" href="./">Cartulary</a>
<nav aria-label="Documentation"><a href="docs">All documents</a> <a href="api">Reference of the API</a></nav>
</header>
${contents.length > 2 ? `<nav class="contents" aria-label="On this page"><ul>${contents.join('')}</ul></nav>\n` : ''}<main id="main" tabindex="-1">
${content}</main>
</body>
</html>
`
}
