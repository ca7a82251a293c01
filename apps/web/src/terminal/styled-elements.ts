const { setAttribute } = Element.prototype
const { createElement } = Document.prototype

/** Sets inline styles by script, which the page's policy allows, instead of by attribute, which it does not. */
function setStyled(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else setAttribute.call(this, name, value)
}

function createStyled(name: string): HTMLElement {
  const element = createElement.call(document, name)
  if (name === 'style')
    element.nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
  if (name === 'span') element.setAttribute = setStyled
  return element
}

/**
 * Makes elements in the way that our content security policy (S-22) wants, for as long as a terminal is there: xterm 6 makes style
 * elements without the page's nonce and sets style attributes, also in the document that it is given. Returns the function that undoes it.
 */
export function createStyledElements(): () => void {
  document.createElement = createStyled
  return () => void Reflect.deleteProperty(document, 'createElement')
}
