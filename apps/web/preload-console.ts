import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { type Chunk, chunksWith } from './chunks.ts'
import { firstPaint } from './src/base/theme/first-paint.ts'

/** Pages of their own, by the beginning of their path: what holds them is fetched beside the console and not after it. */
const pages = {
  '/dashboard/login': '/src/shell/screens/sign-in/Login.tsx',
  '/dashboard/profile': '/src/shell/screens/settings/Account.tsx',
  '/dashboard/settings': '/src/shell/screens/settings/Settings.tsx',
  '/dashboard/terminal/': '/src/terminal/TerminalPage.tsx',
}

/**
 * Runs in the page: begins to fetch the texts of the language that the person chose here, else of the site's, which the page has, and the
 * code and later texts of the page that was asked for. Not as `modulepreload`, which also compiles at once: the frame came 100 ms later.
 */
const preload = (
  words: Readonly<Record<string, readonly string[]>>,
  code: Readonly<Record<string, readonly string[]>>,
  later: Readonly<Record<string, readonly string[]>>,
) =>
  `(()=>{const w=${JSON.stringify(words)},c=${JSON.stringify(code)},r=${JSON.stringify(later)}
let l;try{l=localStorage.getItem('language')}catch{}
const p=Object.keys(c).find(p=>location.pathname.startsWith(p))
if(!w[l])l=document.documentElement.lang;if(!w[l])l='en-US'
for(const f of [...w[l],...p?[...c[p],...r[l]]:[]]){const k=document.createElement('link')
k.rel='preload';k.as='script';k.crossOrigin='';k.nonce=document.currentScript.nonce;k.href='/dashboard/'+f;document.head.append(k)}})()`

const namesOf = (chunks: Iterable<Chunk>) => [...chunks].map(({ fileName }) => fileName)

/** `dashboard.html`, the page of the console, and `index.html`, that of visitors: both begin to fetch code and texts beside the entry instead of after it. */
export function preloadConsole(languages: readonly string[]): Plugin {
  return {
    name: 'quarterdeck-preload-console',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const files = namesOf(chunksWith(chunks, ['/src/shell/console.tsx']))
      const code = Object.entries(pages).map(([path, module]) => {
        const own = namesOf(chunksWith(chunks, [module])).filter((file) => !files.includes(file))
        return [path, own] as const
      })
      const texts = (part: RegExp) =>
        Object.fromEntries(
          languages.map((language) => {
            const isTexts = ({ moduleIds }: Chunk) =>
              moduleIds.some((id) => id.includes(`/locales/${language}/`) && part.test(id))
            return [language, namesOf(chunks.filter(isTexts))]
          }),
        )
      const page = readFileSync(join(dir!, 'index.html'), 'utf8')
      const write = (name: string, own: readonly string[], script: string, body: string) => {
        const links = own.map((file) => `<link rel="preload" as="script" crossorigin href="/dashboard/${file}">`)
        const head = `${links.join('\n    ')}\n    <script>${script}</script>\n  </head>`
        writeFileSync(join(dir!, name), body.replace('</head>', head))
      }
      const asConsole = page.replace(firstPaint('public'), firstPaint('console'))
      write(
        'dashboard.html',
        files,
        preload(texts(/\.json\.first\.js$/), Object.fromEntries(code), texts(/\.json\.later\.js$/)),
        asConsole,
      )
      write(
        'index.html',
        namesOf(chunksWith(chunks, ['/src/public/public.tsx'])),
        preload(texts(/\/ui\.json\.first\.js$/), {}, {}),
        page,
      )
    },
  }
}
