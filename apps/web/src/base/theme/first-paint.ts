import { dark, light } from './tokens.ts'

type Part = 'console' | 'public'

const used = ['canvas', 'surface', 'line', 'line-strong', 'track', 'text', 'control'] as const
const colors = (theme: typeof light) => used.map((name) => `--${name}:${theme[name]}`).join(';')

/**
 * Runs before the first paint and sets theme and page. The server sets `data-guest` for visitors without a session,
 * because reading cookies here would wait for another process. Inlined in the page, so no imports.
 */
const script = `(()=>{let t='system';try{t=localStorage.getItem('vite-ui-theme')||t}catch{}
const r=document.documentElement.dataset,p=location.pathname
r.theme=p==='/wall'||t==='dark'||(t!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches)?'dark':'light'
r.page=p==='/wall'||p.includes('/terminal/')?'bare':!p.startsWith('/dashboard')?'public':p.endsWith('/login')||'guest' in r?'login':'list'})()`

/** Same measures as the frame and a list (tokens.md 4 and 9), so that nothing moves when they render. */
const styles = `:root{${colors(light)};color-scheme:light}[data-theme=dark]{${colors(dark)};color-scheme:dark}
body{margin:0;background:var(--canvas)}
#first{position:fixed;inset:0;overflow:hidden;background:var(--canvas)}#root:not(:empty)+#first,#first>div{display:none}
[data-page=list] .list,[data-page=public] .public{display:grid!important}[data-page=login] .login{display:grid!important}
#first,#first *{box-sizing:border-box}#first p,#first span{margin:0;display:flex;align-items:center;gap:16px}#first i{flex:none;width:64px;height:8px;border-radius:2px;background:var(--track)}
#first .list{height:100%;grid-template-rows:48px 42px 46px 28px minmax(0,1fr) 28px;background:var(--surface)}
#first .list>p{padding:0 16px}#first .top,#first .foot{background:var(--canvas);border:0 solid var(--line-strong)}#first .top{border-bottom-width:1px}#first .foot{border-top-width:1px}
#first .field{flex:1;height:32px;border:1px solid var(--control);border-radius:6px}
#first .head{border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
#first .rows{overflow:hidden}#first .rows p{height:24px;padding:0 16px;border-bottom:1px solid var(--line)}#first .rows i{width:9%}#first .rows i:nth-child(2){width:14%;margin-right:6%}#first .rows i:first-child{width:15px;height:15px}
#first .public{max-width:960px;margin:0 auto;padding:0 24px;gap:24px}#first .public>p:first-child{height:56px}#first .hero i{width:45%;height:20px}
#first .login{width:360px;max-width:calc(100vw - 32px);height:100%;margin:auto;align-content:center;gap:20px}#first .login i{width:100%;height:36px;border-radius:6px}
@media(max-width:890px){#first .list{grid-template-rows:48px 46px 28px minmax(0,1fr) 28px}#first .list>p:nth-child(2){display:none}}
@media(max-width:889px){#first .tabs{display:none}}
@media(max-width:599px){#first .list{grid-template-rows:48px 54px 0 minmax(0,1fr) 0}#first .rows p{height:62px}#first .head,#first .foot{border:0;overflow:hidden}#first .public{padding:0 16px}}`

const logo = `<svg width="20" height="20" viewBox="0 0 20 20"><rect width="20" height="20" rx="5" fill="var(--text)"/><path d="M4 13a9 9 0 0 1 9-9v9Z" fill="var(--canvas)"/><rect x="4" y="14" width="12" height="2" fill="var(--canvas)"/></svg>`
const bars = (count: number) => '<i></i>'.repeat(count)
const login = `<div class="login"><p>${logo}</p>${bars(3)}</div>`
const rows = `<p>${bars(7)}</p>`.repeat(24)

const pages: Readonly<Record<Part, string>> = {
  console: `<div class="list"><p class="top">${logo}${bars(1)}<span class="tabs">${bars(5)}</span></p><p>${bars(1)}</p><p><span class="field"></span></p><p class="head">${bars(1)}</p><div class="rows">${rows}</div><p class="foot">${bars(6)}</p></div>${login}`,
  public: `<div class="public"><p>${logo}${bars(1)}</p><p class="hero">${bars(1)}</p><p>${bars(3)}</p></div>`,
}

/** Inlined in the page’s head. The server adds the nonce. */
export const firstPaintHead = `<script>${script}</script><style>${styles}</style>`

/** Placeholder before any code or style has loaded: the frame and gray bars. Hidden by CSS as soon as `#root` has content. */
export const firstPaint = (part: Part): string => `<div id="first" aria-hidden="true">${pages[part]}</div>`
