import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import locales from '@react-aria/optimize-locales-plugin'
import { vanillaExtractPlugin } from '@vanilla-extract/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstPaint, firstPaintHead } from './src/theme/first-paint.ts'

const languages = ['zh-CN', 'zh-TW', 'en-US', 'ru-RU', 'es-ES', 'de-DE', 'ta-IN', 'it-IT']
const texts = /\.(js|css|html|svg|json)$/

/** Every text file also as .br and .gz, made once at the strongest level, so that the server only sends them. */
function precompress(): Plugin {
  return {
    name: 'quarterdeck-precompress',
    apply: 'build',
    writeBundle({ dir }) {
      for (const name of readdirSync(dir!, { recursive: true, encoding: 'utf8' }).filter((file) => texts.test(file))) {
        const file = join(dir!, name)
        const bytes = readFileSync(file)
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        writeFileSync(
          `${file}.br`,
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
        )
      }
    },
  }
}

/** The frame in grey, in the page itself. Styles are fetched beside it and stand behind it, so that they do not hold it up. */
function paintFirst(): Plugin {
  return {
    name: 'quarterdeck-paint-first',
    transformIndexHtml: {
      order: 'post',
      handler(page) {
        const held = [...page.matchAll(/\s*<link rel="stylesheet"[^>]*>/g)].map(([link]) => link)
        const rest = held.reduce((text, link) => text.replace(link, ''), page)
        return rest
          .replace('</title>', `</title>\n    ${firstPaintHead}`)
          .replace('<div id="root"></div>', `<div id="root"></div>${firstPaint('public')}${held.join('')}`)
      },
    },
  }
}

/** `dashboard.html`: the page of the console, which begins to fetch the console's code and styles beside the entry instead of after it. */
function preloadConsole(): Plugin {
  return {
    name: 'quarterdeck-preload-console',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      const files = new Set<string>()
      const styles = new Set<string>()
      const collect = (file: string) => {
        const chunk = bundle[file]
        if (files.has(file) || chunk?.type !== 'chunk') return
        files.add(file)
        for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style)
        chunk.imports.forEach(collect)
      }
      const entry = Object.values(bundle).find(
        (chunk) => chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('/src/console.tsx'),
      )
      if (!entry) throw new Error('the build has no console')
      collect(entry.fileName)
      const links = [
        ...[...files].map((file) => `<link rel="modulepreload" crossorigin href="/dashboard/${file}">`),
        ...[...styles].map((file) => `<link rel="preload" as="style" crossorigin href="/dashboard/${file}">`),
      ]
      const page = readFileSync(join(dir!, 'index.html'), 'utf8')
      writeFileSync(
        join(dir!, 'dashboard.html'),
        page
          .replace(firstPaint('public'), firstPaint('console'))
          .replace('</head>', `${links.join('\n    ')}\n  </head>`),
      )
    },
  }
}

/** Leaves the words of the terminal programs out of the browser's texts. */
function withoutTerminalWords(): Plugin {
  return {
    name: 'quarterdeck-without-terminal-words',
    enforce: 'pre',
    apply: 'build',
    load(id) {
      if (!/\/locales\/[\w-]+\/ui\.json$/.test(id)) return null
      const { cli: _cli, tui: _tui, ...words } = JSON.parse(readFileSync(id, 'utf8')) as Record<string, unknown>
      return JSON.stringify(words)
    },
  }
}

export default defineConfig({
  base: '/dashboard/',
  plugins: [
    { ...locales.vite({ locales: languages }), enforce: 'pre' },
    react(),
    vanillaExtractPlugin(),
    withoutTerminalWords(),
    paintFirst(),
    preloadConsole(),
    precompress(),
  ],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // One file for what every page needs: fewer requests, and it compresses better together.
      output: {
        codeSplitting: {
          groups: [{ name: 'base', test: /node_modules\/(react|react-dom|scheduler|zod|@legendapp)\// }],
        },
      },
    },
  },
  server: {
    port: 0,
    proxy: { '/api': { target: process.env.QD_URL ?? 'http://127.0.0.1:8008', ws: true } },
  },
})
