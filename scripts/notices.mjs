// Licenses of what packages ship: every module of package-lock.json that isn't only for development.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Licenses that an Apache-2.0 product may ship; an expression is fine if one side of `OR`, or all of `AND`, are here. */
const allowed = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'CC0-1.0', 'WTFPL'])

/** True for a license expression (SPDX, one level) that may be shipped. */
export function isAllowed(expression = '') {
  const words = expression.replace(/[()]/g, '')
  return words.includes(' AND ')
    ? words.split(' AND ').every((one) => allowed.has(one))
    : words.split(' OR ').some((one) => allowed.has(one))
}

/** The shipped modules, by name: `{ id: 'ws@8.0.0', license, texts }`. A module for another platform isn't installed here and has no texts. */
export function shippedModules() {
  const { packages } = read(join(root, 'package-lock.json'))
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version, license }]) => ({
      id: `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
      license,
      texts: textsOf(join(root, path)),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

function textsOf(folder) {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  return files.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
}

/** What modules contain that their own license files don’t name. */
const contents = {
  'jq-wasm': `jq-wasm contains jq (MIT, Copyright (C) 2012 Stephen Dolan), and with it Oniguruma (BSD-2-Clause), decNumber (ICU),
parts of Heimdal (BSD-2-Clause), and dtoa.c and g_fmt.c by David M. Gay (their own notice). The licenses are at
https://github.com/jqlang/jq/blob/master/COPYING and https://github.com/kkos/oniguruma/blob/master/COPYING.`,
}

/** THIRD-PARTY-NOTICES.txt: a list of modules with their licenses, then each license text once, with the modules that come under it. */
export function thirdPartyNotices() {
  const modules = shippedModules()
  const byText = new Map()
  for (const { id, texts } of modules) for (const text of texts) byText.set(text, [...(byText.get(text) ?? []), id])
  const rule = '-'.repeat(80)
  return [
    'Quarterdeck contains these modules, each under the license named beside it.\n',
    ...modules.map(({ id, license }) => `${id}: ${license}`),
    ...modules.flatMap(({ id }) => contents[id.slice(0, id.lastIndexOf('@'))] ?? []).map((text) => `\n${text}`),
    ...[...byText].map(([text, ids]) => `\n${rule}\n${ids.join(', ')}\n${rule}\n\n${text}`),
    '',
  ].join('\n')
}
