// Adds or changes texts: node scripts/text.mjs [--lang de-DE] key="text" …   Deletes them in every language: node scripts/text.mjs --delete key …
// Adds an English text that stands in every language until it is translated: node scripts/text.mjs --todo key="text" …
// Sorted, safe to run from several shells at once.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readTodo, writeTodo } from './todo-texts.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const isDelete = args[0] === '--delete' && args.shift() !== undefined
const isTodo = args[0] === '--todo' && args.shift() !== undefined
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

/** Notes for some languages whether a text is still to be translated. */
function note(names, key, isOpen) {
  const todo = readTodo()
  for (const name of names) {
    const keys = new Set(todo[name])
    isOpen ? keys.add(key) : keys.delete(key)
    todo[name] = [...keys]
  }
  writeTodo(todo)
}

const all = readdirSync(`${root}locales`).filter((folder) => folder.includes('-'))
const others = all.filter((name) => name !== 'en-US')

await locked(() => {
  for (const arg of args) {
    const at = arg.indexOf('=')
    const [key, text] = isDelete ? [arg] : [arg.slice(0, at), arg.slice(at + 1)]
    for (const name of isDelete || isTodo ? all : [language])
      change(name, key, (node, last) => {
        if (isDelete) delete node[last]
        // Until it is translated anew, an older translation says more than the English.
        else node[last] = isTodo && name !== 'en-US' ? (node[last] ?? text) : text
      })
    note(isDelete || isTodo ? others : [language], key, isTodo)
  }
})
