// Runs a script on the Node that is installed with the packages, where the one that runs is too old for it: the shell that has
// just installed them still takes the other one for `node`.
//   node scripts/on-own-node.mjs build-pages.mjs --start
import { spawnSync } from 'node:child_process'
import process, { argv, platform, versions } from 'node:process'
import { fileURLToPath } from 'node:url'

const oldestNode = 24
const [name, ...words] = argv.slice(2)
const script = new URL(name, import.meta.url)

if (Number.parseInt(versions.node, 10) >= oldestNode) {
  await import(script.href)
} else {
  const file = platform === 'win32' ? 'node.exe' : 'node'
  const own = fileURLToPath(new URL(`../node_modules/node/bin/${file}`, import.meta.url))
  const { status } = spawnSync(own, [fileURLToPath(script), ...words], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
