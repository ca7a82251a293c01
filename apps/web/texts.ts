import type { Plugin } from 'vite'

interface Texts {
  readonly [name: string]: string | Texts
}

/** Said by the terminal programs, or in documents that the server writes. */
const elsewhere = /^ui\.(blockedPage|cli|documents|pastePage|tui)\.|^resources\.[\w-]+\.flags\./

/**
 * Said by no list and by nothing on the status page: the second of two files per language. tests/e2e/first-paint.spec.ts
 * fails if a list says one.
 */
const later = new RegExp(
  [
    'ui\\.(activity|aliases|backtest|confirm|connect|detail|doctor|done|escape|events|files|first|form|incident|keySheet|name|notifier|palette|preview|providers|proxy|regroup|run|secondFactor|secret|serverCheck|stepUp|terminal|timeline|toast|update)',
    'ui\\.keys\\.(?!(columns|filter|first|keys|logs|mark|next|public|rowActions|savedFilters|sort|sortBy)\\.)\\w+',
    'ui\\.(keyGroups\\.(?!go\\.)\\w+|login\\.(?!submit\\.)\\w+|logs\\.(?!title\\.)\\w+|rule\\.(form|try)|settings\\.(?!codeRemoved\\.)\\w+)',
    'errors\\.(file\\w*|oauth\\w*|problem|problemWith|schedule)',
    'resources\\.[\\w-]+\\.(aliases|args|groups|help|presets|preview|sections|serverChecks|warnings)',
    'resources\\.(account|setting)\\.(fields|options|reasons)',
  ]
    .map((keys) => `^${keys}\\.`)
    .join('|'),
)

function pick(texts: Texts, path: string, isWanted: (key: string) => boolean): Texts {
  const picked: Record<string, string | Texts> = {}
  for (const [name, text] of Object.entries(texts)) {
    const key = `${path}${name}.`
    if (typeof text !== 'string') picked[name] = pick(text, key, isWanted)
    else if (isWanted(key)) picked[name] = text
    if (typeof picked[name] === 'object' && Object.keys(picked[name]).length === 0) delete picked[name]
  }
  return picked
}

/** Makes two modules of each file of texts: the first texts, and the rest as `later` (`loadLater`). */
export function splitTexts(): Plugin {
  return {
    name: 'quarterdeck-texts',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]locales[\\/][\w-]+[\\/]\w+\.json(\?later)?$/ },
      handler(code, id) {
        const [, space, isLater] = /(\w+)\.json(\?later)?$/.exec(id)!
        const wanted = (key: string) => !elsewhere.test(key) && later.test(key) === (isLater !== undefined)
        const picked = JSON.stringify(pick(JSON.parse(code), `${space}.`, wanted))
        const rest = isLater ? '' : `\nexport const later = () => import(${JSON.stringify(`${id}?later`)})`
        return { code: `export default ${picked}${rest}`, map: null, moduleType: 'js' }
      },
    },
  }
}
