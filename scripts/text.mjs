// Adds or changes texts: node scripts/text.mjs [--lang de-DE] key="text" …   Deletes them in every language: node scripts/text.mjs --delete key …
// Sorted, safe to run from several shells at once.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const isDelete = args[0] === '--delete' && args.shift() !== undefined
const language = args[0] === '--lang' ? args.splice(0, 2)[1] : 'en-US'

function sorted(node) {
  if (typeof node !== 'object') return node
  const kept = Object.keys(node)
    .filter((key) => typeof node[key] === 'string' || Object.keys(node[key]).length > 0)
    .sort()
  return Object.fromEntries(kept.map((key) => [key, sorted(node[key])]))
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

/** Calls `change(node, last)` where a key's text stands in one language, and writes the file. */
function change(name, key, at) {
  const [space, ...path] = key.split('.')
  const file = `${root}locales/${name}/${space}.json`
  const texts = JSON.parse(readFileSync(file, 'utf8'))
  const last = path.pop()
  let node = texts
  for (const part of path) node = node[part] ??= {}
  at(node, last)
  writeFileSync(file, `${JSON.stringify(sorted(texts), null, 2)}\n`)
}

await locked(() => {
  for (const arg of args) {
    const at = arg.indexOf('=')
    if (isDelete) {
      for (const name of readdirSync(`${root}locales`).filter((folder) => folder.includes('-')))
        change(name, arg, (node, last) => delete node[last])
    } else {
      change(language, arg.slice(0, at), (node, last) => {
        node[last] = arg.slice(at + 1)
      })
    }
  }
})
