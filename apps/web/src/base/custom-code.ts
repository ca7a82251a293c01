const mark = 'data-injected'

/** Without the response’s nonce the page runs only its own scripts. */
const nonceOf = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

let turn: Promise<void> = Promise.resolve()

/** Replaces the administrator’s injected HTML. Waits for external scripts; failures are only logged. Source: contract engines 12.5. */
export function injectCode(html: string): Promise<void> {
  turn = turn.then(async () => {
    for (const old of document.querySelectorAll(`[${mark}]`)) old.remove()
    const template = document.createElement('template')
    template.innerHTML = html
    for (const node of [...template.content.childNodes]) await inject(node).catch(console.warn)
  })
  return turn
}

async function inject(node: ChildNode): Promise<void> {
  if (node instanceof HTMLScriptElement) return runScript(node)
  if (node instanceof Text) {
    // A text node can’t carry the mark that finds it again.
    const around = document.createElement('span')
    around.setAttribute(mark, 'true')
    around.textContent = node.data
    if (node.data.trim() !== '') document.body.append(around)
    return
  }
  if (!(node instanceof Element)) return
  const copy = document.importNode(node, true)
  copy.setAttribute(mark, 'true')
  if (copy instanceof HTMLStyleElement) copy.nonce = nonceOf()
  const isHead = copy instanceof HTMLStyleElement || copy instanceof HTMLMetaElement
  const place = isHead ? document.head : document.body
  place.append(copy)
}

/** A parsed script does not run; a new one with the same attributes does. */
function runScript(source: HTMLScriptElement): Promise<void> {
  const script = document.createElement('script')
  for (const { name, value } of source.attributes) script.setAttribute(name, value)
  script.setAttribute(mark, 'true')
  script.nonce = nonceOf()
  if (!source.src) {
    script.textContent = source.textContent
    document.body.append(script)
    return Promise.resolve()
  }
  script.async = false
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${source.src} could not be loaded`)))
    document.head.append(script)
  })
}
