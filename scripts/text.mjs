// Adds or changes texts: node scripts/text.mjs [--lang de-DE] key="text" …   Sorted, safe to run from several shells at once.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const language = args[0] === '--lang' ? args.splice(0, 2)[1] : 'en-US'

function sorted(node) {
  if (typeof node !== 'object') return node
  return Object.fromEntries(
    Object.keys(node)
      .sort()
      .map((key) => [key, sorted(node[key])]),
  )
}

async function locked(action) {
  for (;;) {
    try {
      mkdirSync(`${root}locales/.lock`)
      break
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  try {
    action()
  } finally {
    rmdirSync(`${root}locales/.lock`)
  }
}

await locked(() => {
  for (const arg of args) {
    const at = arg.indexOf('=')
    const [space, ...path] = arg.slice(0, at).split('.')
    const file = `${root}locales/${language}/${space}.json`
    const texts = JSON.parse(readFileSync(file, 'utf8'))
    const last = path.pop()
    let node = texts
    for (const part of path) node = node[part] ??= {}
    node[last] = arg.slice(at + 1)
    writeFileSync(file, `${JSON.stringify(sorted(texts), null, 2)}\n`)
  }
})
