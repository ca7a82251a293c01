import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { papers } from './papers.mjs'

const docs = dirname(dirname(fileURLToPath(import.meta.url)))
const read = (page) => readFileSync(`${docs}/${page}`, 'utf8')
const excluded = ['develop/sources/', 'pictures/']

/** The console’s own picture: the site has no copy of it. */
const mark = `data:image/svg+xml,${encodeURIComponent(readFileSync(`${docs}/../apps/web/public/mark.svg`, 'utf8'))}`

/** The links of a page’s list, in their order: what a folder holds is said by its index page alone. */
const listed = (page) =>
  [...read(page).matchAll(/^- (?:\*\*)?\[([^\]]+)\]\(([^)#]+\.md)\)/gm)].map(([, text, path]) => ({
    text: text.replaceAll('`', ''),
    page: posix.join(posix.dirname(page), path),
  }))
const linkOf = (page) => `/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`
const titleOf = (page) => /^# (.+)$/m.exec(read(page))[1].replaceAll('`', '')

/** Pages that are made from the product: the commands of `qd` in a group of their own. */
function generated(folder) {
  if (!existsSync(`${docs}/${folder}generated`)) return []
  const pages = readdirSync(`${docs}/${folder}generated`).map((file) => `${folder}generated/${file}`)
  const items = pages.map((page) => ({ text: titleOf(page), link: linkOf(page) }))
  const isCommand = ({ link }) => /\/qd(-|$)/.test(link)
  const commands = items.filter(isCommand)
  const others = items.filter((item) => !isCommand(item))
  if (commands.length === 0) return others
  return [{ text: 'Commands of qd', collapsed: true, items: commands }, ...others]
}

const sections = listed('index.md').map(({ text, page }) => {
  const folder = `${posix.dirname(page)}/`
  return {
    text,
    link: linkOf(page),
    collapsed: folder === 'develop/',
    items: [...listed(page).map((item) => ({ text: item.text, link: linkOf(item.page) })), ...generated(folder)],
  }
})

/** Where a link of a page leads on the site; null: to a file that only the repository has. */
function target(href, page) {
  if (/^([a-z]+:|#|\/)/.test(href)) return href
  const [path, anchor] = href.split('#')
  const file = posix.normalize(posix.join(posix.dirname(page), path))
  const [, paper] = /^\.\.\/([A-Z]+)\.md$/.exec(file) ?? []
  if (papers.includes(paper)) return `/develop/generated/${paper.toLowerCase()}${anchor ? `#${anchor}` : ''}`
  return file.startsWith('../') || excluded.some((folder) => file.startsWith(folder)) ? null : href
}

/** Links to source files stay as text: the site has only pages. */
function keepInside(md) {
  // Braces in code are text, no expressions of the site.
  md.renderer.rules.code_inline = (tokens, at) => `<code v-pre>${md.utils.escapeHtml(tokens[at].content)}</code>`
  md.core.ruler.push('inside', ({ tokens, env }) => {
    for (const { children } of tokens) {
      const open = []
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = target(token.attrGet('href'), env.relativePath)
          open.push(href)
          if (href === null) Object.assign(token, { type: 'html_inline', content: '', tag: '' })
          else token.attrSet('href', href)
        } else if (token.type === 'link_close' && open.pop() === null)
          Object.assign(token, { type: 'html_inline', content: '', tag: '' })
      }
    }
  })
}

export default {
  title: 'Quarterdeck',
  description: 'A keyboard-first console for fleets of servers.',
  lang: 'en-US',
  cleanUrls: true,
  srcExclude: excluded.map((folder) => `${folder}**`),
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: mark }]],
  markdown: {
    anchor: {
      // As GitHub names headings, so that a link works in both places.
      slugify: (heading) =>
        heading
          .trim()
          .toLowerCase()
          .replace(/[^\p{L}\d\s_-]/gu, '')
          .replaceAll(' ', '-'),
    },
    config: keepInside,
  },
  vite: { build: { chunkSizeWarningLimit: 4000 }, logLevel: 'warn' },
  themeConfig: {
    logo: mark,
    nav: sections.map(({ text, link }) => ({ text, link })),
    sidebar: sections,
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
}
