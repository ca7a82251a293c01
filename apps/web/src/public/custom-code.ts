/** Marks what was injected, so that it can be replaced. */
const mark = 'data-injected'

/** The nonce of this answer, without which the page runs no script that is not its own. */
const nonceOf = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

let turn: Promise<void> = Promise.resolve()

/**
 * Puts the administrator's own HTML into the page, node after node, in place of what an earlier text put there; an empty text only removes
 * that. A script from an address is waited for, failures are only logged. Source: contract engines 12.5.
 */
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
    // A text by itself could not be found again to be removed.
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

/** A script that was parsed does not run: a new one with the same attributes does. */
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
