const setAttribute = Element.prototype.setAttribute

/** Sets inline styles by script, which the page's policy allows, instead of by attribute, which it does not. */
function setStyled(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else setAttribute.call(this, name, value)
}

/**
 * The document as xterm may use it under our content security policy (S-22): its style elements carry the nonce of this page, and its
 * style attributes are set by script.
 */
export function createXtermDocument(): Document {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
  const createElement = (name: string): HTMLElement => {
    const element = document.createElement(name)
    if (name === 'style') element.nonce = nonce
    if (name === 'span') element.setAttribute = setStyled
    return element
  }
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement') return createElement
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
