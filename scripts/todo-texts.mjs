import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { refuse, root } from './install.mjs'

const path = `${root}tests/data/todo-texts.json`

/** By language, the keys whose texts are still the English ones. */
export function readTodo() {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/** The file is there only while something is to be done. */
export function writeTodo(todo) {
  const open = Object.entries(todo).filter(([, keys]) => keys.length > 0)
  const sorted = Object.fromEntries(open.sort().map(([language, keys]) => [language, [...keys].sort()]))
  if (open.length > 0) writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`)
  else rmSync(path, { force: true })
}

/** Ends the program while a text is to be translated: nothing is shipped half in English. */
export function refuseTodo() {
  const open = Object.entries(readTodo()).map(([language, keys]) => `${language}: ${keys.join(', ')}`)
  if (open.length > 0) refuse(`texts are not translated yet (tests/data/todo-texts.json):\n${open.join('\n')}`)
}
