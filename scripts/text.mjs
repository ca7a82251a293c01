// Adds or changes texts: node scripts/text.mjs [--lang de-DE] key="text" …   Deletes them in every language: node scripts/text.mjs --delete key …
// Adds an English text that stands in every language until it is translated: node scripts/text.mjs --todo key="text" …
// A text that a language shares with English: node scripts/text.mjs --lang de-DE --same key="Uptime" …
// Sorted, safe to run from several shells at once.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readTodo, writeTodo } from './todo-texts.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const isDelete = args[0] === '--delete' && args.shift() !== undefined
const isTodo = args[0] === '--todo' && args.shift() !== undefined
const language = args[0] === '--lang' ? args.splice(0, 2)[1] : 'en-US'
const isSame = args[0] === '--same' && args.shift() !== undefined

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

/** Every text of a language, by its key. */
function readTexts(name) {
  const texts = new Map()
  const read = (node, key) => {
    if (typeof node === 'string') texts.set(key, node)
    else for (const part of Object.keys(node)) read(node[part], `${key}.${part}`)
  }
  for (const space of ['ui', 'resources', 'errors'])
    read(JSON.parse(readFileSync(`${root}locales/${name}/${space}.json`, 'utf8')), space)
  return texts
}

/** Whether a text has a word to translate: something besides placeholders, digits and signs. */
const hasWords = (text) => /\p{L}/u.test(text.replace(/\{\{.*?\}\}/g, ''))

/** Keeps the list of texts that a language shares with English: adds those of these keys with `--same`, else names them. */
function keepShared(names, keys) {
  const file = `${root}tests/data/same-as-english.json`
  const shared = JSON.parse(readFileSync(file, 'utf8'))
  const english = readTexts('en-US')
  const todo = readTodo()
  for (const name of names) {
    const texts = readTexts(name)
    const isShared = (key) =>
      texts.get(key) === english.get(key) && hasWords(texts.get(key) ?? '') && !todo[name]?.includes(key)
    const still = new Set([...texts.keys()].filter(isShared).map((key) => texts.get(key)))
    const known = new Set([...shared.all, ...shared[name]])
    const fresh = keys.filter((key) => isShared(key) && !known.has(texts.get(key)))
    for (const key of isSame ? [] : fresh)
      process.stderr.write(
        `${name}: ${key} is the English text. Translate it, or keep it: node scripts/text.mjs --lang ${name} --same ${key}="${texts.get(key)}"\n`,
      )
    const added = isSame ? fresh.map((key) => texts.get(key)) : []
    shared[name] = [...new Set([...shared[name].filter((text) => still.has(text)), ...added])].sort()
  }
  const lines = Object.entries(shared).map(([name, texts]) => `  ${JSON.stringify(name)}: ${JSON.stringify(texts)}`)
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}

const all = readdirSync(`${root}locales`).filter((folder) => folder.includes('-'))
const others = all.filter((name) => name !== 'en-US')

await locked(() => {
  const keys = args.map((arg) => (isDelete ? arg : arg.slice(0, arg.indexOf('='))))
  for (const [index, key] of keys.entries()) {
    const text = args[index].slice(key.length + 1)
    for (const name of isDelete || isTodo ? all : [language])
      change(name, key, (node, last) => {
        if (isDelete) delete node[last]
        // Until it is translated anew, an older translation says more than the English.
        else node[last] = isTodo && name !== 'en-US' ? (node[last] ?? text) : text
      })
    note(isDelete || isTodo ? others : [language], key, isTodo)
  }
  keepShared(language === 'en-US' ? others : [language], keys)
})
